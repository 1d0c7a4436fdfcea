"""No answer changes: see ``questions.py`` for what is asked, ``answers.py`` for what is kept."""

from golden.comparing import check_answers, chunks


@chunks(small=47, middle=50, special=50)
def test_questions_keep_their_answers(name, chunk):
    check_answers(name, chunk)
