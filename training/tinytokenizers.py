"""Small tokenizers of the kinds that the models use, for tiny.py: the same components in the
same order as in the files on the hub, trained on a few lines."""

import json

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LINES = """\
A dog runs along the beach without a leash, and another dog waits beside the boat.
Two cats sleep on the kitchen table; one of them does not like the light.
The harbour at night is quiet: three ships, a lighthouse, some gulls.
He bought a red bicycle, a blue umbrella and seven lemons at the market in Zürich.
Crème brûlée is a dessert; a façade is the front of a building.
Search for what you want, and say what you do not want.
query: a mountain lake in winter
passage: The lake lies at 1,845 metres and freezes in December.
search_query: who built the bridge
search_document: The bridge was built by two engineers between 1894 and 1902.
She plays the violin, he plays the trumpet, nobody plays the accordion.
Trains that are also late, books that are not novels, films or plays.
It's the first day; they're early, we've waited, I'll go and you'd stay.
""".splitlines() * 4


def template(tokenizer, single: str, *specials: str):
    tokenizer.post_processor = processors.TemplateProcessing(
        single=single, special_tokens=[(s, tokenizer.token_to_id(s)) for s in specials]
    )
    return tokenizer


def bert():
    t = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer(lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.decoder = decoders.WordPiece()
    t.train_from_iterator(LINES, trainers.WordPieceTrainer(
        vocab_size=500, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
    return template(t, "[CLS]:0 $A:0 [SEP]:0", "[CLS]", "[SEP]")


def unigram(specials: list[str], normalizer, pre):
    t = Tokenizer(models.Unigram())
    t.normalizer, t.pre_tokenizer, t.decoder = normalizer, pre, decoders.Metaspace()
    t.train_from_iterator(LINES, trainers.UnigramTrainer(
        vocab_size=400, special_tokens=specials, unk_token="<unk>", show_progress=False))
    return t


def xlmr():
    t = unigram(["<s>", "<pad>", "</s>", "<unk>"],
                normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]),
                pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]))
    return template(t, "<s> $A </s>", "<s>", "</s>")


def siglip():
    t = unigram(["<pad>", "</s>", "<unk>"],
                normalizers.Sequence([normalizers.Lowercase(), normalizers.NFKC(),
                                      normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip()]),
                pre_tokenizers.Metaspace())
    return template(t, "$A </s>", "</s>")


def clip():
    """CLIP's vocabulary: the bytes, the bytes at the end of a word, the merges, two special tokens."""
    split = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    pre = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(split), "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trained = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    trained.normalizer, trained.pre_tokenizer = normalizer, pre
    trained.train_from_iterator(LINES, trainers.BpeTrainer(
        vocab_size=500, initial_alphabet=alphabet, end_of_word_suffix="</w>", show_progress=False))
    merges = [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in json.loads(trained.to_str())["model"]["merges"]]
    start, end = "<|startoftext|>", "<|endoftext|>"
    words = alphabet + [c + "</w>" for c in alphabet] + [a + b for a, b in merges] + [start, end]
    vocabulary = {w: i for i, w in enumerate(dict.fromkeys(words))}
    t = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, unk_token=end, end_of_word_suffix="</w>",
                             continuing_subword_prefix="", fuse_unk=False))
    t.normalizer, t.pre_tokenizer, t.decoder = normalizer, pre, decoders.ByteLevel()
    t.add_special_tokens([start, end])
    t.post_processor = processors.RobertaProcessing(
        (end, vocabulary[end]), (start, vocabulary[start]), add_prefix_space=False, trim_offsets=False)
    return t


def wrap(tokenizer, specials: dict, **more):
    """Save it like transformers does."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **specials, **more)
