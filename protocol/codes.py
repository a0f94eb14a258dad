"""The codes of refusals and of closed connections, each with a sentence for people.

A refusal whose sentence depends on the case (what is legal now, how long to wait) has its own; these are the defaults.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

REFUSALS: Final = {
    # messages
    "malformed": "That message could not be understood.",
    "unknown_request": "The server knows no such request.",
    "too_fast": "That was too much at once. Please wait a moment.",
    "busy": "The server is busy. Your request was not carried out; please try again.",
    "id_reused": "This request id was used before for something else.",
    # users and tables
    "bad_name": "Please choose another name.",
    "no_such_table": "There is no such table, or it is not open to you.",
    "table_unavailable": "This table cannot be opened: its log is damaged. The other tables are not affected.",
    "storage_failed": "The server could not store this, so it did not happen. Please try again.",
    "not_host": "Only the host of the table may do that.",
    "not_seated": "You have no seat at this table.",
    "already_seated": "You already have a seat at this table.",
    "seat_taken": "That seat is taken.",
    "no_free_seat": "There is no free seat at this table.",
    "no_such_seat": "There is no such seat.",
    "not_a_bot": "There is no bot on that seat.",
    "not_a_person": "There is no user on that seat.",
    "no_such_strength": "The bots of this game do not have that strength.",
    "no_hints": "Hints are not allowed at this table.",
    "no_bots": "Bots are not allowed at this table.",
    "no_spectators": "This table does not allow spectators.",
    "wrong_phase": "That is not possible at this stage of the table.",
    "not_everybody_ready": "Not everybody is seated and ready yet.",
    "bad_settings": "The table cannot be opened with these settings.",
    "too_many_tables": "You have opened many tables lately. Please wait a while.",
    "not_following": "You are not watching this table.",
    "commentary_ended": "The players do not show their hands to commentators any more.",
    "muted": "You cannot write here.",
    "chat_full": "The chat of this table is full.",
    "bad_text": "There is nothing to say in that message.",
    "paused": "The game is paused.",
    "not_stood_in": "No bot is playing for you.",
    "no_such_step": "The game had no such step.",
    "no_orders": "Standing orders are not allowed at this table.",
    "bad_order": "That order is not possible in this game.",
    "stale_orders": "Your orders have changed meanwhile. Look at them and try again.",
    "no_holiday": "You have no days of holiday left at this table.",
    "predictions_closed": "It is too late to predict who wins this game.",
    # fairness
    "stale_seeds": "That exchange of seeds is over; another one has begun.",
    "bad_seed": "These are not the random bytes that your seat has committed to.",
    "bad_commitment": "The commitment does not fit the answer, so the answer was not sealed.",
    "other_history": "You were shown another course of this game than the others. Reload the page, and tell them.",
    # people
    "bad_handle": "A handle has 3 to 20 letters, digits, `_` and `-`, and begins with a letter.",
    "handle_taken": "That handle is taken, or looks like one that is.",
    "no_account": "You need an account for that. Keep your name first.",
    "bad_passkey": "That passkey could not be used.",
    "no_such_passkey": "There is no such passkey.",
    "last_way_in": "This is the last way to sign in to your account. Add another one first.",
    "no_such_device": "There is no such device.",
    "not_confirmed": "That is not your handle, so nothing was deleted.",
    "bad_rhythm": "These hours cannot be yours: choose a time zone, and at least 14 hours a week.",
    "no_such_person": "There is nobody of that name, or their page is not open to you.",
    "not_rated": "Ratings are for people with an account. Keep your name first, or choose a table without ratings.",
    # notifications
    "contact_unavailable": "This server sends no messages that way.",
    "bad_mail_address": "That is no mail address to which messages can be sent.",
    "wrong_mail_code": "That code is wrong or too old. Ask for another one.",
    "bad_webhook": "A webhook is an address that begins with https:// and is on the public internet.",
    "bad_subscription": "This browser cannot be told anything: its subscription is not valid here.",
    "no_such_contact": "There is no such contact any more.",
    "too_many_contacts": "You are told on many devices already. Remove one of them first.",
    "bad_zone": "The server does not know that time zone.",
    # finished games
    "no_such_game": "There is no such game, or it is not open to you.",
    "analysis_queue_full": "More than an hour of analyses is waiting already. Please try again later.",
    "too_many_analyses": "You have asked for many analyses lately. Please wait a while.",
    "not_analysable": "This game cannot be analysed: nobody had a decision to make in it.",
    # lessons
    "no_such_lesson": "There is no such lesson.",
    # decisions; the rules of the games have their own sentences
    "game_over": "The game is over.",
    "stale_decision": "That decision is over; the game has gone on.",
    "not_awaited": "It is not for you to decide now.",
    "not_undoable": "There is nothing that could still be taken back.",
    "not_foreseeable": "What follows from that cannot be taken back, so it is not shown before.",
    "malformed_command": "That command could not be understood.",
    "not_offered": "That cannot be done now.",
    "illegal_choice": "That choice is not open to you.",
}


class Close(IntEnum):
    """The codes with which the server closes a connection. The websocket parser sends `TOO_BIG`, and 1002."""

    UNSUPPORTED = 1003
    BAD_DATA = 1007
    POLICY = 1008
    TOO_BIG = 1009
    BUG = 1011
    RESTART = 1012
    OVERLOADED = 1013
    SIGNED_OUT = 4001
    TOO_SLOW = 4008
    UPGRADE = 4426


CLOSES: Final = {
    Close.UNSUPPORTED: "This type of frame does not belong to the negotiated encoding.",
    Close.BAD_DATA: "A message could not be decoded.",
    Close.POLICY: "Too many messages that break the rules.",
    Close.TOO_BIG: "A message was too big.",
    Close.BUG: "The server had an internal error; come back at once.",
    Close.RESTART: "The server restarts; come back at once.",
    Close.OVERLOADED: "The server has too many connections; come back later.",
    Close.SIGNED_OUT: "This session was ended from another device.",
    Close.TOO_SLOW: "This connection reads too slowly; come back for a fresh view.",
    Close.UPGRADE: "This version of the protocol is no longer supported; please reload the page.",
}
