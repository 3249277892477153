/** What a role may allow, as bits that clients read too. */
export const permissions = { administrator: 1, viewFeeds: 1 << 20 } as const

/** May a person with these permissions do this? Administrators may do everything. */
export function may(held: number, permission: keyof typeof permissions): boolean {
  return (held & (permissions.administrator | permissions[permission])) !== 0
}
