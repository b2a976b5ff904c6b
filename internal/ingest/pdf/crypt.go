package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
)

// crypt decrypts a file that opens without a password, such as one that only forbids
// printing or changes.
type crypt struct {
	key    []byte
	method name // V2 is RC4, AESV2 and AESV3 are AES; None
}

// padding fills up a password.
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// newCrypt returns nil if a password is needed or the method is unknown.
func (f *file) newCrypt() *crypt {
	d := f.dict(f.trailer["Encrypt"])
	version, revision := number(f.value(d["V"])), number(f.value(d["R"]))
	owner, _ := f.value(d["O"]).(string)
	user, _ := f.value(d["U"]).(string)
	if f.value(d["Filter"]) != name("Standard") || len(owner) < 32 || len(user) < 32 {
		return nil
	}
	c := &crypt{method: "V2"}
	length := number(f.value(d["Length"]))
	if version >= 4 {
		filter, _ := f.value(d["StmF"]).(name)
		parameters := f.dict(f.dict(d["CF"])[filter])
		c.method, _ = f.value(parameters["CFM"]).(name)
		length = 128
	}
	if version == 5 {
		entry, _ := f.value(d["UE"]).(string)
		c.key = key256(user, entry, revision)
	} else {
		if version == 1 || length < 40 {
			length = 40
		}
		id := ""
		if ids := f.array(f.trailer["ID"]); len(ids) > 0 {
			id, _ = f.value(ids[0]).(string)
		}
		plain := f.value(d["EncryptMetadata"]) == false && revision >= 4
		c.key = key128(owner, id, int64(number(f.value(d["P"]))), int(min(length, 128))/8, revision, plain)
		if !isUser(c.key, user, id, revision) {
			return nil
		}
	}
	if c.key == nil || c.method != "V2" && c.method != "AESV2" && c.method != "AESV3" {
		return nil
	}
	return c
}

// key128 implements algorithm 2 of ISO 32000-1, 7.6.3.3, for the empty password.
func key128(owner, id string, permissions int64, length int, revision float64, plain bool) []byte {
	h := md5.New()
	h.Write([]byte(padding + owner[:32]))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(permissions)))
	h.Write([]byte(id))
	if plain {
		h.Write([]byte{0xFF, 0xFF, 0xFF, 0xFF})
	}
	key := h.Sum(nil)
	if revision >= 3 {
		for range 50 {
			sum := md5.Sum(key[:length])
			key = sum[:]
		}
	}
	return key[:length]
}

// isUser reports whether a key is the user's, by algorithms 4 and 5.
func isUser(key []byte, user, id string, revision float64) bool {
	check := []byte(padding)
	if revision >= 3 {
		sum := md5.Sum([]byte(padding + id))
		check = sum[:]
	}
	rounds := 1
	if revision >= 3 {
		rounds = 20
	}
	for i := range rounds {
		turned := make([]byte, len(key))
		for j := range key {
			turned[j] = key[j] ^ byte(i)
		}
		rc, err := rc4.NewCipher(turned)
		if err != nil {
			return false
		}
		rc.XORKeyStream(check, check)
	}
	return bytes.HasPrefix([]byte(user), check)
}

// key256 implements algorithm 2.A of ISO 32000-2, 7.6.4.3.3, for the empty password.
func key256(user, entry string, revision float64) []byte {
	if len(user) < 48 || len(entry) < 32 {
		return nil
	}
	if !bytes.Equal(hash256(user[32:40], revision), []byte(user[:32])) {
		return nil
	}
	block, err := aes.NewCipher(hash256(user[40:48], revision))
	if err != nil {
		return nil
	}
	key := []byte(entry[:32])
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(key, key)
	return key
}

// hash256 implements algorithm 2.B for the empty password.
func hash256(salt string, revision float64) []byte {
	sum := sha256.Sum256([]byte(salt))
	k := sum[:]
	for i := 0; revision >= 6; i++ {
		e := bytes.Repeat(k, 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		rest := 0
		for _, b := range e[:16] {
			rest += int(b)
		}
		switch rest % 3 {
		case 0:
			s := sha256.Sum256(e)
			k = s[:]
		case 1:
			s := sha512.Sum384(e)
			k = s[:]
		default:
			s := sha512.Sum512(e)
			k = s[:]
		}
		if i >= 63 && int(e[len(e)-1]) <= i-31 {
			break
		}
	}
	return k[:32]
}

func (c *crypt) open(data []byte, of ref) []byte {
	key := c.key
	if c.method != "AESV3" {
		h := md5.New()
		h.Write(c.key)
		h.Write([]byte{byte(of), byte(of >> 8), byte(of >> 16), 0, 0})
		if c.method == "AESV2" {
			h.Write([]byte("sAlT"))
		}
		key = h.Sum(nil)[:min(len(c.key)+5, 16)]
	}
	if c.method == "V2" {
		rc, err := rc4.NewCipher(key)
		if err != nil {
			return nil
		}
		out := make([]byte, len(data))
		rc.XORKeyStream(out, data)
		return out
	}
	block, err := aes.NewCipher(key)
	if n := len(data) / aes.BlockSize * aes.BlockSize; err != nil || n < 2*aes.BlockSize {
		return nil
	} else {
		data = data[:n]
	}
	out := make([]byte, len(data)-aes.BlockSize)
	cipher.NewCBCDecrypter(block, data[:aes.BlockSize]).CryptBlocks(out, data[aes.BlockSize:])
	if pad := int(out[len(out)-1]); pad <= aes.BlockSize {
		out = out[:len(out)-pad]
	}
	return out
}
