"""The unit tests of the web client, which are written in JavaScript."""

from tests.web.node import run_node


def test_the_unit_tests_of_the_client_pass() -> None:
    run_node("npm", "test", "--silent")
