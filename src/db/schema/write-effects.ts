// Effects of writes beyond the table they name. `test/db/write-log.test.ts` compares both lists with the database.

/** Tables written by triggers, by the table whose writes fire them. Full-text indexes are left out. */
export const triggeredWrites: ReadonlyMap<string, readonly string[]> = new Map([
  ['access_tokens', ['applications']],
  [
    'accounts',
    [
      'domain_day_blocks',
      'domain_days',
      'followed_accounts',
      'follows',
      'known_domains',
      'list_accounts',
      'search_walks',
    ],
  ],
  ['active_days', ['active_blocks']],
  ['bookmarks', ['search_stale']],
  ['domain_days', ['domain_day_blocks']],
  ['favourites', ['activity_weeks', 'search_stale']],
  ['follow_requests', ['list_accounts']],
  ['follows', ['domain_day_blocks', 'domain_days', 'followed_accounts', 'list_accounts']],
  ['media_attachments', ['media_blocks']],
  ['poll_votes', ['search_stale']],
  [
    'remote_actors',
    ['domain_day_blocks', 'domain_days', 'followed_accounts', 'follows', 'inboxes', 'list_accounts'],
  ],
  ['reports', ['activity_weeks', 'domain_day_blocks', 'domain_days']],
  ['status_tags', ['tag_blocks', 'tag_counts']],
  ['statuses', ['domain_day_blocks', 'domain_days', 'search_stale']],
  ['users', ['active_blocks', 'active_days']],
])

/** Tables whose deleted rows change rows of other tables by foreign keys. */
export const cascadingTables: ReadonlySet<string> = new Set([
  'access_tokens',
  'account_archives',
  'account_warnings',
  'accounts',
  'announcements',
  'applications',
  'archive_imports',
  'backups',
  'blocklists',
  'collections',
  'crypto_devices',
  'domain_limits',
  'email_domain_blocks',
  'filters',
  'imports',
  'invites',
  'lists',
  'polls',
  'reports',
  'scheduled_statuses',
  'severance_events',
  'statuses',
  'tags',
  'terms_of_service',
  'users',
  'webhooks',
])
