"""All messages in both directions. PROTOCOL.md explains them; the JSON Schema is generated from these classes.

Requests of clients are validated here, once, at the edge: unknown fields and wrong types are refused. Every request has
an id that the client chose and gets exactly one `done` or `refused` with that id. The messages of the server are
described for the schema and for clients; the server builds them as plain dictionaries without validation.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter

from protocol.base import Message, Request, RequestId, SeatNumber, Strength, TableId, TableRequest
from protocol.history_requests import (
    AnalyseGame,
    GetGame,
    GetProfile,
    GetRankings,
    GetTimeline,
    HistoryRequest,
    ListGames,
    LookBack,
    PlayOn,
    ShareGame,
)
from protocol.lesson_requests import MAX_LESSON_ANSWERS, GetLesson, GetLessons, KeepLesson, LessonRequest
from protocol.lobby_requests import (
    ANY_TABLE,
    DEFAULT_LIST_ROWS,
    MAX_LIST_ROWS,
    BankClock,
    Clock,
    CreateTable,
    DecisionClock,
    DecisionsBehind,
    Delay,
    ForgetDevices,
    ListTables,
    MakeCode,
    MakeToken,
    MinutesBehind,
    NoClock,
    Ping,
    QuickMatch,
    SetLanguage,
    SetName,
    SetVisible,
    TableQuery,
    TableSettings,
    UnlistTables,
)
from protocol.notification_requests import (
    AddPush,
    ConfirmMail,
    GetNotifications,
    NotificationRequest,
    RemoveContact,
    RenewSecret,
    SetMail,
    SetNotifications,
    SetWebhook,
    SwitchContact,
    TryContact,
)
from protocol.people_requests import (
    AccountRequest,
    AddPasskey,
    BeginPasskey,
    Block,
    DeleteAccount,
    DismissInvitation,
    Follow,
    GetAccount,
    Invite,
    KeepName,
    ListPeople,
    MakeRecoveryCodes,
    PeopleRequest,
    RemovePasskey,
    SetProfile,
    SetRhythm,
    SignOut,
    WeeklyRhythm,
)
from protocol.replies import (
    Alive,
    Chat,
    ChatLine,
    Done,
    Invitation,
    Invitations,
    ListPage,
    OwnTable,
    PeopleChanged,
    Person,
    Predictions,
    Presence,
    RefusedMessage,
    SeatSummary,
    Tables,
    TablesChanged,
    TableSummary,
    Update,
    User,
    View,
    Welcome,
    YourTables,
)
from protocol.table_requests import (
    MAX_ORDERS,
    MAX_PAGE_ENTRIES,
    MAX_UPDATE_NUMBER,
    AddBot,
    AdoptRhythm,
    ChangeBot,
    ChangeSettings,
    CommentaryKey,
    CommitSeed,
    Decide,
    FillWithBots,
    Hint,
    Kick,
    LeaveSeat,
    LookAhead,
    Mute,
    OpenSeed,
    Order,
    PlayAgain,
    ReadLog,
    Ready,
    RemoveBot,
    Resign,
    ReturnToSeat,
    Say,
    Seal,
    SetOrders,
    Start,
    TakeHoliday,
    TakeSeat,
    Undo,
    Unseal,
    Unwatch,
    Vote,
    Watch,
)
from protocol.watching_requests import GetBigTable, GetWatching, Predict

__all__ = [
    "ANY_TABLE",
    "DEFAULT_LIST_ROWS",
    "MAX_LESSON_ANSWERS",
    "MAX_LIST_ROWS",
    "MAX_ORDERS",
    "MAX_PAGE_ENTRIES",
    "MAX_UPDATE_NUMBER",
    "PROTOCOL_VERSION",
    "REPLIES",
    "REQUESTS",
    "AccountRequest",
    "AddBot",
    "AddPasskey",
    "AddPush",
    "AdoptRhythm",
    "Alive",
    "AnalyseGame",
    "AnyReply",
    "AnyRequest",
    "BankClock",
    "BeginPasskey",
    "Block",
    "ChangeBot",
    "ChangeSettings",
    "Chat",
    "ChatLine",
    "Clock",
    "CommentaryKey",
    "CommitSeed",
    "ConfirmMail",
    "CreateTable",
    "Decide",
    "DecisionClock",
    "DecisionsBehind",
    "Delay",
    "DeleteAccount",
    "DismissInvitation",
    "Done",
    "FillWithBots",
    "Follow",
    "ForgetDevices",
    "GetAccount",
    "GetBigTable",
    "GetGame",
    "GetLesson",
    "GetLessons",
    "GetNotifications",
    "GetProfile",
    "GetRankings",
    "GetTimeline",
    "GetWatching",
    "Hint",
    "HistoryRequest",
    "Invitation",
    "Invitations",
    "Invite",
    "KeepLesson",
    "KeepName",
    "Kick",
    "LeaveSeat",
    "LessonRequest",
    "ListGames",
    "ListPage",
    "ListPeople",
    "ListTables",
    "LookAhead",
    "LookBack",
    "MakeCode",
    "MakeRecoveryCodes",
    "MakeToken",
    "Message",
    "MinutesBehind",
    "Mute",
    "NoClock",
    "NotificationRequest",
    "OpenSeed",
    "Order",
    "OwnTable",
    "PeopleChanged",
    "PeopleRequest",
    "Person",
    "Ping",
    "PlayAgain",
    "PlayOn",
    "Predict",
    "Predictions",
    "Presence",
    "QuickMatch",
    "ReadLog",
    "Ready",
    "RefusedMessage",
    "RemoveBot",
    "RemoveContact",
    "RemovePasskey",
    "RenewSecret",
    "Request",
    "RequestId",
    "Resign",
    "ReturnToSeat",
    "Say",
    "Seal",
    "SeatNumber",
    "SeatSummary",
    "SetLanguage",
    "SetMail",
    "SetName",
    "SetNotifications",
    "SetOrders",
    "SetProfile",
    "SetRhythm",
    "SetVisible",
    "SetWebhook",
    "ShareGame",
    "SignOut",
    "Start",
    "Strength",
    "SwitchContact",
    "TableId",
    "TableQuery",
    "TableRequest",
    "TableSettings",
    "TableSummary",
    "Tables",
    "TablesChanged",
    "TakeHoliday",
    "TakeSeat",
    "TryContact",
    "Undo",
    "UnlistTables",
    "Unseal",
    "Unwatch",
    "Update",
    "User",
    "View",
    "Vote",
    "Watch",
    "WeeklyRhythm",
    "Welcome",
    "YourTables",
]

PROTOCOL_VERSION = 1

AnyRequest = Annotated[
    SetName
    | SetLanguage
    | MakeCode
    | MakeToken
    | ForgetDevices
    | Ping
    | SetVisible
    | ListTables
    | UnlistTables
    | GetBigTable
    | CreateTable
    | QuickMatch
    | Watch
    | Unwatch
    | ChangeSettings
    | TakeSeat
    | LeaveSeat
    | AddBot
    | FillWithBots
    | ChangeBot
    | RemoveBot
    | Kick
    | Ready
    | Start
    | CommitSeed
    | OpenSeed
    | Decide
    | Seal
    | Unseal
    | SetOrders
    | LookAhead
    | Hint
    | Undo
    | Vote
    | Resign
    | ReturnToSeat
    | AdoptRhythm
    | TakeHoliday
    | Say
    | Mute
    | CommentaryKey
    | PlayAgain
    | Predict
    | GetWatching
    | LookBack
    | ReadLog
    | GetTimeline
    | ShareGame
    | Invite
    | GetAccount
    | KeepName
    | BeginPasskey
    | AddPasskey
    | RemovePasskey
    | MakeRecoveryCodes
    | SignOut
    | SetProfile
    | SetRhythm
    | DeleteAccount
    | Follow
    | Block
    | ListPeople
    | DismissInvitation
    | GetNotifications
    | SetNotifications
    | AddPush
    | SetMail
    | ConfirmMail
    | SetWebhook
    | RenewSecret
    | SwitchContact
    | RemoveContact
    | TryContact
    | ListGames
    | GetGame
    | GetProfile
    | GetRankings
    | PlayOn
    | AnalyseGame
    | GetLesson
    | GetLessons
    | KeepLesson,
    Field(discriminator="type"),
]

REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)

AnyReply = Annotated[
    Welcome
    | Done
    | RefusedMessage
    | Tables
    | TablesChanged
    | YourTables
    | View
    | Update
    | Presence
    | Chat
    | Predictions
    | Alive
    | PeopleChanged
    | Invitations,
    Field(discriminator="type"),
]

REPLIES: TypeAdapter[AnyReply] = TypeAdapter(AnyReply)
