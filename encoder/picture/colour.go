package picture

import (
	"image"
	"image/color"
)

// plain is a palette without its transparency. Indexes beyond the palette are
// black.
func plain(img *image.Paletted) (table [256][3]byte) {
	for i, c := range img.Palette[:min(len(img.Palette), 256)] {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		if exact, ok := c.(color.NRGBA); ok {
			n = exact // a colour that cannot be seen has one nevertheless
		}
		table[i] = [3]byte{n.R, n.G, n.B}
	}
	return table
}

// ink is what a colour's ink and black leave of the light, rounded as PIL does.
func ink(colour, black byte) byte {
	light := uint32(255 - black)
	t := uint32(colour)*light + 128
	return byte(light - (t+t>>8)>>8)
}
