package indexing

import (
	"strings"
	"testing"
)

func TestLanguageOf(t *testing.T) {
	for _, test := range []struct{ want, text string }{
		{"en", "The cron daemon reads the tables of all users and runs the commands that are due. It is started by the system and does not return to the shell."},
		{"de", "Der Dienst liest die Tabellen aller Benutzer und führt die Befehle aus, die fällig sind. Er wird vom System gestartet und kehrt nicht zur Eingabe zurück; das ist auch so gewollt."},
		{"fr", "Le démon lit les tables de tous les utilisateurs et lance les travaux qui sont dus. Il est démarré par le système et ne rend pas la main, ce qui est voulu dans un serveur."},
		{"es", "El demonio lee las tablas de todos los usuarios y ejecuta las órdenes que tocan. Es iniciado por el sistema y no vuelve a la consola, como se espera de un servicio."},
		{"it", "Il demone legge le tabelle di tutti gli utenti ed esegue i comandi che sono previsti. Non torna alla console, come si vuole per un servizio che è sempre attivo nel sistema."},
		{"nl", "De dienst leest de tabellen van alle gebruikers en voert de opdrachten uit die aan de beurt zijn. Het wordt door het systeem gestart en keert niet terug, ook niet bij een fout."},
		{"pt", "O serviço lê as tabelas de todos os utilizadores e executa as tarefas que são devidas. Não volta para a consola, como se espera de um serviço que está sempre em execução no sistema."},
		{"sv", "Tjänsten läser tabellerna för alla användare och kör de kommandon som står på tur. Den startas av systemet och återvänder inte till skalet, och det är också meningen att det är så."},
		{"pl", "Usługa czyta tabele wszystkich użytkowników i wykonuje polecenia, na które przyszła pora. Nie wraca do powłoki, jak to jest w zwyczaju, ale działa przez cały czas w tle oraz po restarcie."},
		{"ru", "Служба читает таблицы всех пользователей и выполняет команды, которые пора выполнить. Она не возвращается в оболочку, и это не ошибка, а так задумано для всех служб, как и при запуске из системы."},
		{"ja", "このサービスはすべての利用者の表を読み、実行すべき命令を実行します。"},
		{"zh", "该服务读取所有用户的表格,并执行到期的命令。它由系统启动。"},
		{"el", "Η υπηρεσία διαβάζει τους πίνακες όλων των χρηστών και εκτελεί τις εντολές."},
		{"", "cron crontab anacron at batch"},
		{"", strings.Repeat("0x1f 17 42.5 mov eax ebx ", 20)},
		{"", ""},
	} {
		if got := languageOf(test.text); got != test.want {
			t.Errorf("got %q, want %q: %s", got, test.want, test.text)
		}
	}
}

func TestTypeOf(t *testing.T) {
	for name, want := range map[string]string{"a/b.PDF": "pdf", "x.md.gz": "md", "Makefile": "text", "Minutes 12.5": "text", "v1.2 plan": "text", "clip.mp4": "mp4"} {
		if got := typeOf(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
