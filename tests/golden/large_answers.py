"""Questions that take minutes in all: run by `make golden-all` alone."""

from golden.comparing import changes, chunks


@chunks("large", size=10)
def test_large_questions_keep_their_answers(chunk):
    found = changes("large", chunk)
    assert not found, "\n" + "\n".join(found)


@chunks("slow", size=10)
def test_slow_questions_keep_their_answers(chunk):
    found = changes("slow", chunk)
    assert not found, "\n" + "\n".join(found)
