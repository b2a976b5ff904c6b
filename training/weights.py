"""Reads the tensors of a BERT encoder from a safetensors file, or from an ONNX file with
8-bit weights as Hugging Face's Optimum exports it, by PyTorch's names."""

import re

import torch


def load(path: str) -> dict[str, torch.Tensor]:
    if path.endswith(".safetensors"):
        from safetensors.torch import load_file

        return load_file(path)
    import onnx
    from onnx.numpy_helper import to_array

    graph = onnx.load(path).graph
    stored = {i.name: to_array(i) for i in graph.initializer}

    def expand(name):
        base = name.removesuffix("_quantized")
        codes = torch.tensor(stored[name]).float() - torch.tensor(stored[base + "_zero_point"]).float()
        return codes * torch.tensor(stored[base + "_scale"])

    tensors = {}
    for name, value in stored.items():
        if name.endswith("_quantized") and "embeddings" in name:
            tensors[name.removesuffix("_quantized")] = expand(name)
        elif re.match(r"(embeddings|encoder)\.", name) and value.dtype == "float32" and value.ndim:
            tensors[name] = torch.tensor(value)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            module = re.search(r"(encoder/layer\.\d+/.*)/MatMul", node.name)[1].replace("/", ".")
            tensors[module + ".weight"] = expand(node.input[1]).T.contiguous()
    return tensors
