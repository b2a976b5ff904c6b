package ingest

import (
	"testing"
)

func TestOrg(t *testing.T) {
	d, err := orgMode.read(defaultBudget(), []byte(`#+TITLE: Garden notes
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
12 | - prune in March / - thinly / - plant | price
17 | - rose | 12
18 ## Code
20 water --all
22 sleep 1
25 Quoted.`)
}

func TestRST(t *testing.T) {
	d, err := structured.read(defaultBudget(), []byte(`.. _top:

=====
Wells
=====

A *short* text with `+"``code``"+` and :ref:`+"`a link <top>`"+`,
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
10 make well
12 ## Pumps
15 Mind the step.
21 x := 1
26 lift(water, height=2)
28 Lifts water.
30 | - one goes on / - two
34 term what it means
38 Part Price
40 Float 7
44 over lines
46 The end .
48 [1] A note.`)
}

func TestLaTeX(t *testing.T) {
	d, err := latex.read(defaultBudget(), []byte(`\documentclass[a4paper]{article}
\usepackage{graphicx} % pictures
\title{Wells \& Tanks}
\author{A. Writer \and B. Reader}
\begin{document}
\maketitle
\section{The \emph{pump}}\label{sec:pump}
It lifts water --- slowly --- as `+"``many''"+` know~\cite{x}. 10\,\% % a remark
of it is na\"\i ve: $a_{1} + b$ is more than
\[ x = y \]
nothing, see \href{http://example.org}{the page}.

New \textbf{paragraph} in a caf\'e.
\begin{itemize}
  \item One
    goes on.
  \item[Two] more.
\end{itemize}
\begin{tabular}{ll}
\hline
Part & Price \\
Float & 7 \\
\end{tabular}
\begin{verbatim}
make all
  # not a comment
\end{verbatim}
\subsection*{End}
\input{other}
Costs 5 $ today.
\end{document}
not read`))
	checkOutline(t, d, err, `Wells & Tanks
7 ## The pump
8 It lifts water --- slowly --- as "many" know . 10 % of it is naive: $a_1 + b$ is more than
11 nothing, see the page.
13 New paragraph in a cafe.
15 | - One goes on. / - Two more.
21 Part | Price Float | 7
25 make all # not a comment
28 ### End
30 Costs 5 $ today.`)
}
