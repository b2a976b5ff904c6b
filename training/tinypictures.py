"""Creates the pictures for the Go tests of encoder/picture, and records the results of PIL
and of transformers' processors.

    python tinypictures.py --out ../encoder/picture/testdata

decoded.json has the sha256 of the RGB bytes of each picture, resized.json the sha256 of each
resize; a folder for each processor has its preprocessor_config.json and pixels.bin, the
float32 values of every picture in the order of pictures.json.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy
from PIL import Image

SIDE = 32


def scene(width: int, height: int, seed: int):
    """Soft colours, hard edges, a little noise."""
    g = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width]
    red = 127 + 120 * numpy.sin(x / 7 + seed)
    green = 255 * y / max(1, height - 1)
    blue = numpy.where((x // 9 + y // 6) % 2, 230, 15)
    picture = numpy.stack([red, green, blue], -1) + g.normal(0, 6, (height, width, 3))
    return Image.fromarray(picture.clip(0, 255).astype(numpy.uint8), "RGB")


def draw(out: Path):
    wide, tall = scene(97, 61, 1), scene(45, 83, 2)
    alpha = Image.fromarray((numpy.mgrid[0:61, 0:97][1] * 2 % 256).astype(numpy.uint8), "L")
    wide.save(out / "rgb.png")
    tall.save(out / "tall.png")
    scene(13, 11, 3).save(out / "small.png")
    scene(SIDE, SIDE, 4).save(out / "square.png")
    scene(160, 33, 5).save(out / "strip.png")
    wide.convert("L").save(out / "grey.png")
    tall.convert("1").save(out / "bits.png")
    with_alpha = wide.copy()
    with_alpha.putalpha(alpha)
    with_alpha.save(out / "rgba.png")
    with_alpha.convert("LA").save(out / "greyalpha.png")
    palette = tall.quantize(24)
    palette.save(out / "palette.png")
    palette.save(out / "palettealpha.png", transparency=3)
    deep = (numpy.asarray(wide.convert("L")).astype(numpy.uint16) << 8) | 0x5A
    Image.fromarray(deep).save(out / "grey16.png")
    wide.save(out / "rgb.jpg", quality=90)
    wide.save(out / "half.jpg", quality=90, subsampling=1)
    tall.save(out / "full.jpg", quality=95, subsampling=0)
    wide.convert("L").save(out / "grey.jpg", quality=90)
    tall.save(out / "progressive.jpg", quality=85, progressive=True)
    wide.convert("CMYK").save(out / "cmyk.jpg", quality=95)
    exif = Image.Exif()
    exif[0x0112] = 6
    tall.save(out / "turned.jpg", quality=95, subsampling=0, exif=exif)


def processors():
    """The processors of the models, except for the size."""
    import transformers

    def named(name):
        for cls in (name + "Pil", name):  # prefer the one that resizes with PIL, as in training
            if hasattr(transformers, cls):
                print("processor:", cls)
                return getattr(transformers, cls)
        raise SystemExit(f"transformers has no {name}")

    return {
        "clip": named("CLIPImageProcessor")(size={"shortest_edge": SIDE}, crop_size={"height": SIDE, "width": SIDE}),
        "siglip": named("SiglipImageProcessor")(size={"height": SIDE, "width": SIDE}),
    }


def digest(picture) -> str:
    return hashlib.sha256(picture.tobytes()).hexdigest()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--out", type=Path, required=True)
    out = p.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    draw(out)
    files = sorted(out.glob("*.png")) + sorted(out.glob("*.jpg"))
    rgb = {f.name: Image.open(f).convert("RGB") for f in files}
    decoded = {name: {"width": i.width, "height": i.height, "sha256": digest(i)} for name, i in rgb.items() if name.endswith(".png")}
    (out / "decoded.json").write_text(json.dumps(decoded, indent=1) + "\n")
    sizes = [(32, 32), (50, 31), (7, 90), (97, 20), (200, 150), (1, 1)]
    resized = [
        {"picture": name, "width": w, "height": h, "resample": int(r), "sha256": digest(rgb[name].resize((w, h), r))}
        for name in ("rgb.png", "tall.png", "small.png", "strip.png")
        for w, h in sizes
        for r in (Image.Resampling.BILINEAR, Image.Resampling.BICUBIC)
    ]
    (out / "resized.json").write_text(json.dumps(resized, indent=1) + "\n")
    (out / "pictures.json").write_text(json.dumps([f.name for f in files], indent=1) + "\n")
    for name, processor in processors().items():
        processor.save_pretrained(out / name)
        values = [numpy.asarray(processor(rgb[f.name], return_tensors="np")["pixel_values"])[0] for f in files]
        (out / name / "pixels.bin").write_bytes(numpy.stack(values).astype("<f4").tobytes())
        print(name, values[0].shape, [str(f.name) for f in (out / name).iterdir()])


if __name__ == "__main__":
    main()
