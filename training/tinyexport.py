"""Exports to ONNX for tiny.py: tries the available exporters, and keeps the first file
on whose outputs ONNX Runtime and PyTorch agree at several lengths."""

import hashlib
from pathlib import Path

import onnx
import onnxruntime
import torch


def randomize(model, seed: str):
    """Set weights large enough to tell texts apart, the same in every run."""
    g = torch.Generator().manual_seed(int(hashlib.sha256(seed.encode()).hexdigest()[:8], 16))
    with torch.no_grad():
        for name, p in model.named_parameters():
            if p.dim() > 1:
                p.copy_(torch.randn(p.shape, generator=g) * 0.25)
            else:
                p.copy_(torch.randn(p.shape, generator=g) * 0.1 + (1.0 if "norm" in name.lower() and name.endswith("weight") else 0))
    return model.eval()


class Text(torch.nn.Module):
    """A text model with the inputs of its export and one output. Missing inputs follow from
    the ids: all of them are attended to."""

    def __init__(self, model, inputs: list[str], output: str = "last_hidden_state"):
        super().__init__()
        self.model, self.inputs, self.output = model, inputs, output

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, position_ids=None):
        given = {"input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": token_type_ids, "position_ids": position_ids}
        return getattr(self.model(**{k: v for k, v in given.items() if v is not None}), self.output)

    def sample(self, batch=2, length=9):
        g = torch.Generator().manual_seed(length)
        ids = torch.randint(5, 60, (batch, length), generator=g)  # valid in every vocabulary
        all_of = {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            "token_type_ids": torch.zeros_like(ids),
            "position_ids": torch.arange(length).repeat(batch, 1),
        }
        return {k: all_of[k] for k in self.inputs}


def exporters(module, path, sample, outputs):
    from torch.export import Dim

    axes = {k: {0: "batch_size", 1: "sequence_length"} if v.dim() == 2 else {0: "batch_size"} for k, v in sample.items()}
    for kind in (Dim.DYNAMIC, Dim.AUTO):
        yield lambda: torch.onnx.export(
            module, (), str(path), kwargs=sample, input_names=list(sample), output_names=outputs,
            dynamic_shapes={k: {axis: kind for axis in v} for k, v in axes.items()}, dynamo=True, external_data=False,
        )
    yield lambda: torch.onnx.export(
        module, tuple(sample.values()), str(path), input_names=list(sample), output_names=outputs,
        dynamic_axes=axes, dynamo=False, opset_version=17,
    )


def agrees(module, path, sample) -> float:
    """The largest difference between ONNX Runtime and PyTorch."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    tries = [sample, {k: v[:1] for k, v in sample.items()}]
    if "input_ids" in sample:
        tries += [{k: v[:1, :n] for k, v in sample.items()} for n in (2, 5)]
        tries += [module.sample(1, 16)]
    for given in tries:
        with torch.no_grad():
            want = module(**given)
        got = session.run(None, {k: v.numpy() for k, v in given.items()})[0]
        worst = max(worst, float((want - torch.from_numpy(got)).abs().max()))
    return worst


def onnx_model(module, path: Path, sample: dict, outputs: list[str]):
    path.parent.mkdir(parents=True, exist_ok=True)
    module.eval()
    for way, attempt in enumerate(exporters(module, path, sample, outputs)):
        try:
            attempt()
            slim(path)
            worst = agrees(module, path, sample)
        except Exception as err:  # try the next one; failing with all is fatal
            print(f"{path}: exporter {way}: {type(err).__name__}: {str(err)[:300]}", flush=True)
            continue
        print(f"{path}: exporter {way}, {path.stat().st_size} bytes, within {worst:.2g}", flush=True)
        if worst < 5e-5:
            return
    raise SystemExit(f"{path}: no exporter gives a model that agrees with PyTorch")


def slim(path: Path):
    """Remove the metadata about where in the Python source each node was created."""
    model = onnx.load(path)
    for graph in [model.graph, *model.functions]:
        for node in graph.node:
            node.doc_string = ""
            del node.metadata_props[:]
    del model.graph.metadata_props[:]
    del model.metadata_props[:]
    del model.graph.value_info[:]
    for value in [*model.graph.input, *model.graph.output, *model.graph.initializer]:
        del value.metadata_props[:]
    onnx.save(model, path)


def split_weights(path: Path):
    """Store the weights in a second file, as for large models."""
    model = onnx.load(path)
    onnx.save_model(model, path, save_as_external_data=True, location=path.name + "_data", size_threshold=256)


def save_quantized(path: Path, out: Path):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    out.parent.mkdir(parents=True, exist_ok=True)
    quantize_dynamic(str(path), str(out), weight_type=QuantType.QInt8)
    print(f"{out}: {out.stat().st_size} bytes", flush=True)
