package ingest

import "testing"

func TestLaTeX(t *testing.T) {
	d, err := readLaTeX([]byte(`\documentclass[a4paper]{article}
\usepackage{graphicx} % pictures
\title{Wells \& Tanks}
\author{A. Writer \and B. Reader}
\begin{document}
\maketitle
\section{The \emph{pump}}\label{sec:pump}
It lifts water --- slowly --- as ` + "``many''" + ` know~\cite{x}. 10\,\% % a remark
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
8 It lifts water — slowly — as “many” know . 10 % of it is naïve: a_1 + b is more than nothing, see the page.
13 New paragraph in a café.
15 | - One goes on. / - Two more.
21 | Part | Price / Float | 7
25 | make all /   # not a comment
28 ### End
30 Costs 5 $ today.`)
	if d.metadata["author"] != "A. Writer, B. Reader" {
		t.Error(d.metadata)
	}
}
