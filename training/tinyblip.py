"""The two towers of BLIP's image-text retrieval with their projections, as modules with one
input each. No hub offers them as ONNX, and no exporter supports them; this script does.

    python tinyblip.py --model Salesforce/blip-itm-large-coco --out blip

The folder is then ready for Go: onnx/text_model.onnx, onnx/vision_model.onnx,
config.json, tokenizer.json, preprocessor_config.json.
"""

import argparse
from pathlib import Path

import torch

from tinyexport import Text, onnx_model


class TextTower(Text):
    def __init__(self, model):
        super().__init__(model.text_encoder, ["input_ids", "attention_mask"], "text_embeds")
        self.projection = model.text_proj

    def forward(self, input_ids, attention_mask=None):
        if attention_mask is None:
            attention_mask = torch.ones_like(input_ids)
        states = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return self.projection(states[:, 0])


class VisionTower(torch.nn.Module):
    output = "image_embeds"

    def __init__(self, model):
        super().__init__()
        self.model, self.projection = model.vision_model, model.vision_proj

    def forward(self, pixel_values):
        return self.projection(self.model(pixel_values=pixel_values).last_hidden_state[:, 0])


def main():
    from transformers import AutoImageProcessor, AutoTokenizer, BlipForImageTextRetrieval

    p = argparse.ArgumentParser()
    p.add_argument("--model", required=True)
    p.add_argument("--out", type=Path, required=True)
    args = p.parse_args()
    model = BlipForImageTextRetrieval.from_pretrained(args.model).eval()
    model.config.save_pretrained(args.out)
    AutoTokenizer.from_pretrained(args.model).save_pretrained(args.out)
    AutoImageProcessor.from_pretrained(args.model).save_pretrained(args.out)
    text, side = TextTower(model), model.config.vision_config.image_size
    onnx_model(text, args.out / "onnx/text_model.onnx", text.sample(), ["text_embeds"])
    sample = {"pixel_values": torch.randn(2, 3, side, side, generator=torch.Generator().manual_seed(1))}
    onnx_model(VisionTower(model), args.out / "onnx/vision_model.onnx", sample, ["image_embeds"])


if __name__ == "__main__":
    main()
