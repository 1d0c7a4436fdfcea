"""Questions at default budgets, which take minutes: run by `make golden-all` alone."""

from golden.comparing import changes, chunks


@chunks("large", size=10)
def test_large_questions_keep_their_answers(chunk):
    found = changes("large", chunk)
    assert not found, "\n" + "\n".join(found)
