"""Questions that take minutes in all: run by `make golden-all` alone."""

from golden.comparing import check_answers, chunks


@chunks(large=10, slow=10)
def test_long_questions_keep_their_answers(name, chunk):
    check_answers(name, chunk)
