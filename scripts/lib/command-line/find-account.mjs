// Accounts by their names.

/** The account with this name, `name` or `name@host`, as moderators see it. */
export function findAccount(instance, name) {
  return instance.admin('GET', 'accounts/lookup', { acct: name })
}
