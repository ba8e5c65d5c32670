"""The bodies of the earlier interface that are answered, with the names its document gives them."""

from typing import Any

from pydantic import BaseModel, Field

FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "files": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "contentMediaType": "application/octet-stream"},
                            "description": "under this name or any other; up to 1 GB each",
                        }
                    },
                }
            }
        },
    }
}


class MatchFeatures(BaseModel):
    """How well a passage matches; all of them on the scale of the search, 0 to 1."""

    firstPhase: float = Field(description="the score by keywords and meaning together")  # noqa: N815
    combined_score: float
    cos_sim: float = Field(description="cosine to the query; 0 without a search model")
    max_sim: float = Field(description="the greatest cosine among the file's passages")
    max_sim_per_context: dict[str, float] = Field(description="the same by file id")


class ResultMeta(BaseModel):
    """Whose a result is and where it comes from."""

    is_private: bool
    provider: str


class ResultFields(BaseModel):
    """A passage."""

    matchfeatures: MatchFeatures
    sddocname: str
    documentid: str
    id: str = Field(description="the file's id")
    title: str
    download_link: str
    page: int = Field(description="the passage's place in the file, from 1")
    type: str
    user_id: str
    text_contents: str
    meta: ResultMeta


class SemanticResult(BaseModel):
    """A result of the search by meaning."""

    id: str
    relevance: float
    source: str
    fields: ResultFields


class ProviderCount(BaseModel):
    """How many results a provider gave."""

    provider: str
    id: str
    count: int


class SemanticResults(BaseModel):
    """Answer of the search by meaning."""

    data: list[SemanticResult]
    meta: list[ProviderCount]


class FirstMessage(BaseModel):
    """The first message with its answer; what was found sensitive is told of the message."""

    id: str
    text: str
    redacted: str
    synthetic: str
    ner_count: int
    response: str
    ner_items: list[dict[str, Any]] = Field(description="text, label, token, start, end")
    timestamp: str


class Started(BaseModel):
    """Answer of start-conversation."""

    conversation_id: str
    title: str
    messages: FirstMessage


class Sent(BaseModel):
    """Answer of send: the reply, as it is, redacted, and with stand-ins."""

    conversation_id: str
    sender: str
    message_text: str
    redacted_text: str
    syntactic_text: str
    model: str
    related_questions: list[str]
    id: str
    typing_completed: bool
    created_at: str


class Continued(BaseModel):
    """Answer of continue; what was found sensitive is told of the reply."""

    conversation_id: str
    sender: str
    message_text: str
    redacted_text: str
    syntactic_text: str
    typing_completed: bool
    created_at: str
    ner_items: list[dict[str, Any]] = Field(description="text, label, token, start, end")
    ner_count: int
    title: str
    id: str
