"""What the words mean: frozen values and pure folds, without input or output."""

from carrel.model.account import Account, Generation, WireNames
from carrel.model.activity import Budget, Exchange
from carrel.model.agents import AgentRequest, AgentResult, GeneratedFile
from carrel.model.chat import ChatMetadata, ChatRequest, Preferences
from carrel.model.errors import (
    BadAnswer,
    InvalidModel,
    InvalidRequest,
    NotFound,
    NotSupported,
    RateLimited,
    ServerFault,
    ServiceError,
    SignInNeeded,
    StreamBroken,
    TimedOut,
    Unreachable,
)
from carrel.model.events import (
    Content,
    ConversationCreated,
    Done,
    Event,
    MessageStart,
    StreamError,
    StreamMeta,
    Thinking,
    Unknown,
    event_of,
)
from carrel.model.library import ACCEPTED, LibraryFile, LibraryPage, LibraryQuery
from carrel.model.models import Model
from carrel.model.reference import Learned
from carrel.model.reply import Reply, fold, fold_all
from carrel.model.search import SearchHit, SearchQuery, SearchResults
from carrel.model.workflows import (
    ExternalUser,
    Pagination,
    Workflow,
    WorkflowInputs,
    WorkflowPage,
    WorkflowQuery,
    WorkflowRun,
    WorkflowRunRequest,
)

__all__ = [
    "ACCEPTED",
    "Account",
    "AgentRequest",
    "AgentResult",
    "BadAnswer",
    "Budget",
    "ChatMetadata",
    "ChatRequest",
    "Content",
    "ConversationCreated",
    "Done",
    "Event",
    "Exchange",
    "ExternalUser",
    "GeneratedFile",
    "Generation",
    "InvalidModel",
    "InvalidRequest",
    "Learned",
    "LibraryFile",
    "LibraryPage",
    "LibraryQuery",
    "MessageStart",
    "Model",
    "NotFound",
    "NotSupported",
    "Pagination",
    "Preferences",
    "RateLimited",
    "Reply",
    "SearchHit",
    "SearchQuery",
    "SearchResults",
    "ServerFault",
    "ServiceError",
    "SignInNeeded",
    "StreamBroken",
    "StreamError",
    "StreamMeta",
    "Thinking",
    "TimedOut",
    "Unknown",
    "Unreachable",
    "WireNames",
    "Workflow",
    "WorkflowInputs",
    "WorkflowPage",
    "WorkflowQuery",
    "WorkflowRun",
    "WorkflowRunRequest",
    "event_of",
    "fold",
    "fold_all",
]
