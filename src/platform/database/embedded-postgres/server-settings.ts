/** Settings of the embedded server, given on its command line so that an old data folder gets the current ones. */
export interface ServerTuning {
  readonly port: number;
  readonly maxConnections: number;
  /** False only where losing everything is fine: tests. */
  readonly durable: boolean;
  /** The marker by which a later start recognises whose server this is. */
  readonly clusterName: string;
}

/**
 * Small machine, one client process, rows written one at a time: little shared memory, no parallel workers, no background
 * processes for replication or asynchronous reads, and every commit on the disk before it is answered.
 * Failed statements stay out of the server's log, since their messages quote values; whoever sent them hears of them.
 */
export function serverArguments({ port, maxConnections, durable, clusterName }: ServerTuning): string[] {
  const onlyIfDurable = durable ? 'on' : 'off';
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    cluster_name: clusterName,
    max_connections: String(maxConnections),
    superuser_reserved_connections: '0',
    shared_buffers: '64MB',
    huge_pages: 'off',
    io_method: 'sync',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    max_worker_processes: '2',
    max_logical_replication_workers: '0',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '256MB',
    checkpoint_timeout: '15min',
    fsync: onlyIfDurable,
    synchronous_commit: onlyIfDurable,
    full_page_writes: onlyIfDurable,
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
