"""What is wrong with a request that was written by hand is said in words."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from carrel.model import WorkflowRunRequest
from carrel.ui.workflows.words import wrong_request


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([1], "The request must be an object, in braces."),
        ({"inputs": 3}, "inputs: must be an object, in braces."),
        ({"inputs": {"form_inputs": [1]}}, "inputs.form_inputs: must be an object, in braces."),
        ({"colour": 1}, "colour: the service knows no such field."),
    ],
)
def test_it_says_where_and_what(body: object, words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        WorkflowRunRequest.model_validate(body)
    assert wrong_request(caught.value) == words
