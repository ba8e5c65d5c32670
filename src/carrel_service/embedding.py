"""Turns text into vectors with the small search model that set-up prepared, when there is one."""

import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from .wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

_BATCH = 4
"""Texts in one run of the model: more are no faster on two cores, and hold 10 MB each."""


def model_folder() -> Path:
    """Where set-up puts the model; CARREL_SEARCH_MODEL names another folder."""
    given = os.environ.get("CARREL_SEARCH_MODEL")
    return Path(given) if given else Path(platformdirs.user_cache_dir("carrel")) / "search-model"


class Embedder:
    """The model: `name` and `tokens` (the cap on a text's length) are kept beside the vectors it makes."""

    dimension = 384

    def __init__(self, folder: Path) -> None:
        """Load `model.onnx`, `vocab.txt`, `model.json`. Raises OSError or ValueError when one does not fit."""
        about = json.loads((folder / "model.json").read_text("utf-8"))
        self.name: str = about["name"]
        self.tokens: int = about["tokens"]
        with (folder / "vocab.txt").open(encoding="utf-8") as lines:
            self._words = WordPiece(lines)
        self._session = _session(folder / "model.onnx")

    @property
    def signature(self) -> str:
        """What must agree for two vectors to be comparable."""
        return f"{self.name}/{self.dimension}/{self.tokens}"

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One unit vector a text: float32 [n, 384], in the order given."""
        import numpy as np

        ids = [self._words.encode(text, self.tokens) for text in texts]
        by_length = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        vectors = np.empty((len(ids), self.dimension), np.float32)
        for start in range(0, len(ids), _BATCH):
            places = by_length[start : start + _BATCH]
            vectors[places] = self._run([ids[place] for place in places])
        return vectors

    def _run(self, batch: list[list[int]]) -> "NDArray[np.float32]":
        import numpy as np

        longest = max(map(len, batch))
        padded = np.zeros((len(batch), longest), np.int64)
        mask = np.zeros_like(padded)
        for row, ids in enumerate(batch):
            padded[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        made: NDArray[np.float32] = self._session.run(None, {"input_ids": padded, "attention_mask": mask})[0]
        return made


def _session(model: Path) -> Any:
    """The runtime's session, told not to burn a core waiting between runs, nor to keep a batch's memory."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def load() -> Embedder | None:
    """The model of this computer, or None, with the reason in the log: search then goes by keywords alone."""
    try:
        return Embedder(model_folder())
    except FileNotFoundError:
        log.info("There is no search model on this computer: search goes by keywords alone")
    except Exception as error:  # noqa: BLE001  # a seam: the runtime has exceptions of its own for a broken model
        log.warning("The search model cannot be used, search goes by keywords alone: %s", error)
    return None
