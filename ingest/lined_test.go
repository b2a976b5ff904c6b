package ingest

import "testing"

func TestOrg(t *testing.T) {
	d, err := readOrg([]byte(`#+TITLE: Garden notes
#+FILETAGS: :home:plants:
* TODO [#A] The /rose/ bed                                  :urgent:
SCHEDULED: <2026-03-01 Sun>
:PROPERTIES:
:ID: 12
:END:
Roses want *sun and
air*, see [[https://example.org][the guide]].
# a remark

- [X] prune
  in March
  - thinly
| plant | price |
|-------+-------|
| rose  | 12    |
** Code
#+begin_src sh
  water --all

  sleep 1
#+end_src
#+begin_quote
Quoted.
#+end_quote
`))
	checkOutline(t, d, err, `Garden notes
3 # The rose bed
8 Roses want sun and air, see the guide.
12 | - prune in March /   - thinly
15 | plant | price / rose | 12
18 ## Code
20 | water --all / sleep 1
25 Quoted.`)
	if tags, _ := d.metadata["tags"].([]any); len(tags) != 2 {
		t.Error(d.metadata)
	}
}

func TestRST(t *testing.T) {
	d, err := readRST([]byte(`.. _top:

=====
Wells
=====

A *short* text with ` + "``code``" + ` and :ref:` + "`a link <top>`" + `,
over two lines::

    make well

Pumps
-----

.. note:: Mind the
   step.

.. code-block:: go
   :linenos:

   x := 1

.. image:: pump.png
   :alt: not read

.. function:: lift(water, height=2)

   Lifts *water*.

- one
  goes on
#. two

term
    what it means

====  =====
Part  Price
====  =====
Float  7
====  =====

.. a comment
   over lines

The end [1]_.

.. [1] A note.
`))
	checkOutline(t, d, err, `Wells
7 A short text with code and a link, over two lines:
10 | make well
12 ## Pumps
15 Mind the step.
21 | x := 1
26 | lift(water, height=2)
28 Lifts water.
30 | - one goes on / - two
34 term
35 what it means
38 | Part | Price / Float | 7
46 The end .
48 1: A note.`)
}
