"""The texts of tokenizer_fixture.py."""

import random

# The text for learning the small vocabularies.
TRAINING = """
The quick brown fox jumps over the lazy dog, and the dog doesn't mind. It's a warm day;
they're resting under the old oak tree. We've seen 12 foxes and 345 dogs since 1999!
I'm sure you'll find a red scarf, a blue umbrella, or a pair of leather gloves in the shop.
She said: "What's the price of this?" He'd answered: 20 euros (or 25 dollars) each.
A photo of a cat sitting on a wooden table. A painting of two horses near the harbour.
Searching for pictures of snow on mountains without any people, at night, in the rain.
Documents about the history of science, of music and of medicine; novels set in Paris.
The embedding of a sentence is a vector. Tokens are parts of words, and words are parts of texts.
Query: how do birds find their way home? Passage: birds remember the stars and the shape of the coast.
Der schnelle braune Fuchs springt über den faulen Hund. Straße, Übergröße, Äpfel, Öl.
Le garçon a mangé une crème brûlée à l'hôtel où naïve Zoë était élève cet été.
El niño comió una piña en la montaña mañana. São Paulo, coração, ação. İstanbul, ılık su.
Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń.
Быстрая коричневая лиса прыгает через ленивую собаку. Ёж и йод.
Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί.
敏捷的棕色狐狸跳过懒狗。我爱北京。日本語の文章、カタカナとひらがな。빠른 갈색 여우가 게으른 개를 뛰어넘는다.
الثعلب البني السريع يقفز فوق الكلب الكسول. השועל החום המהיר קופץ מעל הכלב העצלן.
तेज़ भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है। สุนัขจิ้งจอกสีน้ำตาลกระโดดข้ามสุนัขขี้เกียจ น้ำ
""".strip()

HARD = [
    "", " ", "  ", "\n", "\t\t", "\u00a0", "\u3000", "\r\n", "a", " a", "a ", "  a  b  ", "a\tb\nc\r\nd\re", "a\u00a0b\u2003c\u3000d\u2028e\u0085f\vg\fh",
    "The quick brown fox jumps over the lazy dog.", "THE QUICK BROWN FOX", "the  fox   and    the     dog", "\n\nThe fox\n\n\nthe dog\n", "fox ", "fox  ", "fox \n", "\n fox", " \n fox", "\tfox", "fox\u200bdog", "fox \u200b dog",
    "It's they're we've I'm you'll he'd don't", "IT'S THEY'RE WE'VE I'M YOU'LL HE'D DON'T", "'s 's's ''s '' 'sx 'S 'rex 'lll 'r 'v 'l' '", "it’s they’re “quoted”", "rock'n'roll o'clock", " 's", "x 's", "'", "'t", "1's 2'll",
    "1", "12", "1234567890", "3.14159", "1,000,000", "a1b2c3", "½ ² ⅔ Ⅳ ① ٣ ३ 〇 一二三", "１２３", "v1.2.3-rc4", "2024-01-31T12:34:56Z",
    "!", "!!!", "?!.,;:", "a!b?c", "...", "…", "—–-", "a_b __init__", "foo(bar)[baz]{qux}", "C++ C# .NET", "$100 €5 £3 ¥7", "$$$,,,;;;", "a,b;c , d ; e", "50% off*", "user@example.com http://a.b/c?d=e&f#g", "<b>bold</b>", "\\ / | ~ ^ `", "☃ ☂ ★ ♥", "``quoted'' ''''",
    "naïve café résumé", "nai\u0308ve cafe\u0301 re\u0301sume\u0301", "a\u0301\u0302\u0303\u0304", "\u0301", "\u0301a", " \u0301 ", "e\u0323\u0302 e\u0302\u0323 ệ", "Å Å A\u030a", "ǆ ǅ Ǆ ĳ ŀ", "ﬁ ﬂ ﬀ ﬃ ﬄ ﬅ", "ſ K Ω ℡ ℀ ™ ℹ", "ª º ʰ ˢ", "ＡＢＣ ａｂｃ ！？", "ｅ\u0301 Ａ\u0308 ª\u0301 ™\u0301 ½\u0301", "\u0600Ａ\u0301", "İ ı I i İi\u0307", "ẞ ß ŉ ΐ", "ΑΣ ΟΔΟΣ Σ σς", "Ǆ Ⱥ Ⱦ ℧",
    "中文", "我爱北京天安门", "日本語の文章", "カタカナ ひらがな", "ｶﾀｶﾅ ｶﾞ ﾊﾟ", "か\u3099 が は\u309a", "한국어 텍스트", "\u1112\u1161\u11ab\u1100\u1173\u11af", "\u1100\u1161\u0301", "㈜ ㌔ ㍿ ㊗ ㊙", "豈 更 \uf900\U0002f800", "𠀀 𪜀", "中文abc中文", "abc中文 def", "。、「」",
    "العربية", "الْعَرَبِيَّةُ", "ﻻ ﷺ ﷽", "שָׁלוֹם", "\ufb2a \ufb4f", "हिन्दी में", "क़ ख़ \u0958", "क्षि त्र ज्ञ", "ক্ষ বাংলা", "தமிழ் கொ", "ไทย น้ำ กำ", "ລາວ ຳ", "မြန်မာ", "ខ្មែរ", "བོད་ཡིག", "ქართული ᲥᲐᲠᲗᲣᲚᲘ", "Հայերեն", "ᏣᎳᎩ ꮳꮃꭹ", "Tiếng Việt rất đẹp",
    "🙂", "👍🏽", "👨‍👩‍👧‍👦", "❤️", "❤\u200d™", "🇩🇪🇫🇷", "a🙂b", "🏳️‍🌈", "1️⃣", "☺️ ☺︎", "©\u200d ®\u200d", "👩\u200d", "\u200d", "e\u200d\u0301",
    "\x00", "a\x00b", "\x01\x02\x1f\x7f\x80\x9f", "soft\u00adhyphen", "zero\u200bwidth\u200cnon\u200djoiner\u2060\ufeff", "\ufeffbom", "rtl\u202e\u200fmark", "tag\U000e0041", "\ufffd", "a\ufffdb \ufffd", "\ue000 \U000f0000", "\u0378 \U0001fbff", "\u2063\u2064", "a\u2028\u2029b",
    "[CLS]", "[SEP] [MASK] [PAD] [UNK]", "a[SEP]b", "a [MASK] b", "a  [MASK]  b", "[MASK", "[mask]", "[[SEP]]", "[SEP][SEP]", "[new]", "a[new]", "[new]b", " [new] ", "[new],", "[NEW] [ＮＥＷ]", "é[new]", "\u0301[new]", "fox trot", "foxtrot", "a fox trot  b", "fox  trot",
    "<s>", "</s>", "<s>hello</s>", "<mask>", "a <mask> b", "a<mask>b", "a  \n<mask>  b", "<mask><mask>", " <mask> <mask> ", "<unk>", "<unk>☃", "<pad>", "< s >", "<S>", "<|endoftext|>", "a<|endoftext|>b", "<|startoftext|> a photo <|endoftext|>", "<|STARTOFTEXT|>", "<|endoftext", "<bos>a<eos>", "<bos> a <eos> b",
    "▁", "▁the", "the▁fox", " ▁ the", "▁▁▁ a", "a   b    c", "\n\n\n\na", "a\n\nb\n\n\nc", "<0x41> <0x0A>", "##ing", "##", "fox##es", "</w> fox</w>", "Ġthe", "Ġ Ċ ĉ",
    "Fox fox FOX foxes ＦＯＸ", "dog", "dog dogs hotdog dog-dog _dog dog_ dog\u0301 (dog)", "a [B] b", "a[B]b", "[B][B] [B]", "[B]C", "[b]c  d", "a [B]C b", "  [B]  [B]C  x", "é e\u0301 É", "ﬁ x fi x", "''x''", "  leading", "trailing  ", " , ; x$$y", "$€x,", ",,a",
    "x" * 99, "x" * 100, "x" * 101, "é" * 100, "é" * 101, "the" * 40, "中" * 50, "☃" * 30, "a" * 300, "!" * 150, " " * 50 + "a", "a" + " " * 50, "\n" * 20, "🙂" * 20, "e" + "\u0301" * 40, "ab " * 40, "1" * 60, "'" * 30,
    "one\ntwo\r\nthree\rfour\u0085five", "a\r\nb\r\n\r\nc", "tab\tseparated\tvalues", "trailing newline\n", "query: how do birds find their way home?", "passage: The embedding of a sentence is a vector.", "dog AND NOT leash", "a photo of a cat", "supercalifragilisticexpialidocious pneumonoultramicroscopicsilicovolcanoconiosis",
]


def random_texts(count, seed=1):
    """Random texts of characters that are hard in combination."""
    r = random.Random(seed)
    marks = "\u0301\u0308\u0327\u0300\u0345\u05b8\u064b\u093f\u0e33\u0e49\u200d\ufe0f\u20dd\u3099"
    spaces = "    \t\n\r\u00a0\u2003\u3000\u200b\u0085\ufeff"
    letters = "abcdefgosnAEIXZéÅßİıǅΣσςжЙΩאبकहกเ中文漢字한글ㄱｶﾞｅＡ１９ªº½²ﬁﬃ℡™ℹⅣ①㊗㌔あアｶ"
    signs = "'.,;!?<>[]|-_/\\\"$€#*()@&~^`{}：。、…—’“🙂👍🏽👩❤🇩🇪\x00\x07\x7f\x9f\u00ad\ufffd\u0600▁"
    words = ["'s", "'re", "'ll", "don't", "the", " the", " fox", "dog", "[SEP]", "[MASK]", "<mask>", " <mask> ", "<s>", "</s>", "<|endoftext|>", "[B]", "\r\n", "##ing", "1234", "[new]"]
    out = []
    for _ in range(count):
        pool = [r.choice([letters, letters, marks, spaces, signs]) for _ in range(3)]
        text = "".join(r.choice(words) if r.random() < 0.2 else r.choice(r.choice(pool)) for _ in range(r.randrange(1, 14)))
        out.append(text)
    return out
