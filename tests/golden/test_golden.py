"""No answer changes: see ``questions.py`` for what is asked, ``answers.py`` for what is kept."""

from golden.comparing import changes, chunks


@chunks("small", size=47)
def test_small_questions_keep_their_answers(chunk):
    found = changes("small", chunk)
    assert not found, "\n" + "\n".join(found)


@chunks("middle", size=50)
def test_middle_questions_keep_their_answers(chunk):
    found = changes("middle", chunk)
    assert not found, "\n" + "\n".join(found)


@chunks("special", size=50)
def test_special_questions_keep_their_answers(chunk):
    found = changes("special", chunk)
    assert not found, "\n" + "\n".join(found)
