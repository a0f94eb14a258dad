"""The directory tells people the statuses of their own tables, and how many users are connected."""

from server.cluster.presence import ClusterPresence
from server.lobby.directory import TableDirectory
from tests.lobby.directories import SETTLED, public, subscribed, waiting_for
from tests.lobby.fakes import FakeLoop, FakeSubscriber, own, summary, user

# -- statuses -------------------------------------------------------------------------------------------------


def test_a_user_sees_seat_decision_time_and_progress_of_their_own_tables(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    directory.update(*public("t1", "Bob", "Ada", phase="running"))
    directory.update_status("t1", waiting_for("Ada"))
    ada, bob = FakeSubscriber(user("Ada")), FakeSubscriber(user("Bob"))
    for one in (ada, bob):
        directory.connected(one)
    listed = summary("t1", "Bob", "Ada", phase="running")
    told = {"about": "bid", "since": 7, "deadline": None, "holiday": None, "progress": {"round": 2}}
    assert ada.own == [listed | told | {"seat": 1, "awaited": True}]
    assert bob.own == [listed | told | {"seat": 0, "awaited": False}]


def test_a_change_of_status_is_sent_to_all_connections_of_the_people_concerned_and_to_nobody_else(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    directory.update(*public("t1", "Ada", "Bob", phase="running"))
    directory.update_status("t1", waiting_for("Ada", "Bob"))
    ada, phone, bob, cy = (subscribed(directory, name) for name in ("Ada", "Ada", "Bob", "Cy"))
    loop.pass_time(10)
    for one in (ada, phone, bob, cy):
        one.kinds()
    directory.update_status("t1", waiting_for("Bob"))
    loop.pass_time(SETTLED)
    assert ada.own[0]["awaited"] is phone.own[0]["awaited"] is False
    assert bob.own[0]["awaited"] is True
    assert [one.kinds() for one in (ada, phone, bob, cy)] == [["your_tables"], ["your_tables"], [], []]
    directory.update_status("t1", waiting_for("Bob", since=8))
    loop.pass_time(SETTLED)
    assert [one.kinds() for one in (ada, phone, bob, cy)] == [["your_tables"]] * 3 + [[]]
    directory.update_status("t1", waiting_for("Bob", since=8))
    directory.update_status("nowhere", waiting_for("Bob"))
    loop.pass_time(SETTLED)
    assert [one.kinds() for one in (ada, phone, bob, cy)] == [[]] * 4


def test_the_public_lists_never_show_a_status(directory: TableDirectory, loop: FakeLoop) -> None:
    directory.update(*public("t1", "Ada", phase="running"))
    loop.pass_time(SETTLED)
    cy = subscribed(directory, "Cy")
    before = cy.frames[-1]
    cy.kinds()
    directory.update_status("t1", waiting_for("Ada"))
    loop.pass_time(SETTLED)
    assert cy.kinds() == []
    late = subscribed(directory, "Cy")
    assert late.frames[-1] is before
    assert "awaited" not in str(late.frames[-1].message)


def test_the_time_of_a_message_does_not_depend_on_the_answers_of_others(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    directory.update(*public("t1", "Ada", "Bob", phase="running"))
    directory.update_status("t1", waiting_for("Ada", "Bob"))
    ada = subscribed(directory, "Ada")
    bob = subscribed(directory, "Bob")
    loop.pass_time(10)
    for one in (ada, bob):
        one.kinds()
    directory.update_status("t1", waiting_for("Ada"))
    loop.pass_time(0.01)
    assert bob.kinds() == ["your_tables"]
    directory.update_status("t1", waiting_for())
    loop.pass_time(0.01)
    # Bob's message has just been sent; Ada's does not wait for that.
    assert ada.kinds() == ["your_tables"]


def test_many_changes_of_status_are_gathered(directory: TableDirectory, loop: FakeLoop) -> None:
    directory.update(*public("t1", "Ada", phase="running"))
    ada = subscribed(directory, "Ada")
    loop.pass_time(10)
    ada.kinds()
    for since in range(100):
        directory.update_status("t1", waiting_for("Ada", since=since))
        loop.pass_time(0.01)
    loop.pass_time(SETTLED)
    assert ada.own[0]["since"] == 99
    assert ada.kinds() == ["your_tables"] * 6


def test_a_status_stays_when_the_summary_changes(directory: TableDirectory, loop: FakeLoop) -> None:
    directory.update(*public("t1", "Ada", phase="running"))
    directory.update_status("t1", waiting_for("Ada"))
    directory.update(*public("t1", "Ada", phase="running", spectators=3))
    ada = subscribed(directory, "Ada")
    assert ada.own == [own("Ada", summary("t1", "Ada", phase="running", spectators=3), waiting_for("Ada"))]


def test_one_user_can_be_told_without_the_others(directory: TableDirectory) -> None:
    directory.update(*public("t1", "Ada", "Bob", phase="running"))
    directory.update_status_for("t1", "ada", waiting_for("Ada", "Bob"))
    assert directory.status_for("t1", "ada") == waiting_for("Ada")
    assert directory.status_for("t1", "bob") == waiting_for()
    directory.update_status_for("t1", "bob", waiting_for("Bob", since=9))
    assert directory.status_for("t1", "ada") == waiting_for("Ada", since=9)
    assert directory.status_for("t1", "cy") is None
    assert directory.status_for("t2", "ada") is None


# -- the number of connected users ----------------------------------------------------------------------------


def test_the_lists_say_how_many_users_are_connected(directory: TableDirectory, loop: FakeLoop) -> None:
    ada = subscribed(directory, "Ada")
    assert ada.online == 1
    loop.pass_time(10)
    bob, phone = subscribed(directory, "Bob"), FakeSubscriber(user("Bob"))
    directory.connected(phone)
    loop.pass_time(10)
    assert (ada.online, bob.online) == (2, 2)
    directory.disconnected(phone)
    loop.pass_time(10)
    assert ada.online == 2
    directory.disconnected(bob)
    loop.pass_time(10)
    assert ada.online == 1


def test_a_crowd_that_comes_and_goes_costs_a_message_every_few_seconds(
    directory: TableDirectory, loop: FakeLoop
) -> None:
    ada = subscribed(directory, "Ada")
    loop.pass_time(10)
    ada.kinds()
    for number in range(100):
        directory.connected(FakeSubscriber(user(f"User{number}")))
        loop.pass_time(0.1)
    loop.pass_time(10)
    assert ada.online == 101
    assert len(ada.kinds()) == 5
    directory.update(*public("t1", "Bob"))
    loop.pass_time(0)
    assert ada.kinds() == ["tables_changed"]


def test_nobody_is_counted_twice_and_users_elsewhere_are_counted(loop: FakeLoop) -> None:
    elsewhere = ClusterPresence()
    directory = TableDirectory(loop, elsewhere)
    ada = subscribed(directory, "Ada")
    elsewhere.replace("b", ["ada", "bob"])
    elsewhere.replace("c", ["bob", "cy"])
    directory.online_changed()
    loop.pass_time(10)
    assert ada.online == 3
    elsewhere.forget("c")
    directory.online_changed()
    loop.pass_time(10)
    assert ada.online == 2
