"""What all modules of cases share."""

from mastodon.errors import MastodonAPIError


def table():
    """A table of cases and the decorator that puts a function into it under its name."""
    cases = {}

    def case(function):
        cases[function.__name__] = function
        return function

    return cases, case


def ids(found):
    return [int(one["id"]) for one in found]


def same(found, expected):
    if found != expected:
        raise AssertionError("%r is not %r" % (found, expected))


def has(whole, part):
    if part not in whole:
        raise AssertionError("%r is not in %r" % (part, whole))


def refused(call, *words):
    """The message of a refusal by the server, which has to hold these words."""
    try:
        call()
    except MastodonAPIError as failure:
        text = " ".join(map(str, failure.args))
        for word in words:
            has(text, word)
        return
    raise AssertionError("it was not refused")
