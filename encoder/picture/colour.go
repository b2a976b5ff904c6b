package picture

import (
	"image"
	"image/color"
)

// plain returns a palette without transparency. Indexes beyond the palette are black.
func plain(img *image.Paletted) (table [256][3]byte) {
	for i, c := range img.Palette[:min(len(img.Palette), 256)] {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		if exact, ok := c.(color.NRGBA); ok {
			n = exact // a fully transparent entry still has a colour
		}
		table[i] = [3]byte{n.R, n.G, n.B}
	}
	return table
}

// ink converts a CMYK component and black to a light value, rounded like PIL.
func ink(colour, black byte) byte {
	light := uint32(255 - black)
	t := uint32(colour)*light + 128
	return byte(light - (t+t>>8)>>8)
}
