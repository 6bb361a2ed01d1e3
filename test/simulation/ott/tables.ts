/** The tables of the area. */
export const tables = {
  Applications: { keys: ['pk'] },
  Events: {
    keys: ['pk'],
    indexes: {
      by_start: ['shelf', 'place'],
      lifted_by_start: ['lifted_shelf', 'place'],
      by_stream: ['stream_host', 'stream_path'],
      by_signed_path: ['stream_host', 'signed_path'],
      by_change_due: ['change_queue', 'change_due'],
    },
  },
  Sessions: { keys: ['pk'] },
  Grants: { keys: ['pk'] },
} as const;
