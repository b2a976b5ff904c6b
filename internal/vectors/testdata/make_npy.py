"""Writes the npy files beside it with numpy. Run it in this folder."""

import numpy
from numpy.lib import format

rows, columns = numpy.indices((3, 4))
signed = 3 * rows - 2 * columns + 1
unsigned = 3 * rows + 2 * columns + 1


def save(name, array, version=None):
    with open(name + ".npy", "wb") as f:
        format.write_array(f, array, version)


for kind in "f4", "f2", "f8":
    save(kind, signed.astype("<" + kind))
save("f4_big", signed.astype(">f4"))  # refused
save("i1", signed.astype("i1"))
save("u1", unsigned.astype("u1"))
save("version2", signed.astype("<f4"), (2, 0))
save("version3", signed.astype("<f4"), (3, 0))
save("one_axis", signed[1].astype("<f4"))
save("column", signed[:, :1].astype("<f4"))
save("fortran", numpy.asfortranarray(signed.astype("<f4")))
save("three_axes", signed.astype("<f4").reshape(3, 2, 2))
save("scalar", numpy.float32(3))
save("int64", signed.astype("<i8"))
save("records", numpy.zeros(3, [("shape", "<f4"), ("y", "<f4")]))
save("no_rows", numpy.zeros((0, 4), "<f4"))
numpy.save("objects", numpy.array([[1, None]], dtype=object), allow_pickle=True)
numpy.savez("archive.npz", signed)
