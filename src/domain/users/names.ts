/** Names that could be mistaken for the server or its staff, or that addresses of the server need. */
const reserved: ReadonlySet<string> = new Set(
  `abuse account accounts actor admin administration administrator administrators admins api app apps assets
  auth autoconfig contact explore federation fieldfare health help helpdesk home hostmaster inbox info instance
  instance_actor internal legal local login logout mail mailer_daemon media mod moderation moderator moderators
  mods nodeinfo nobody noreply no_reply oauth official operator outbox owner postmaster privacy public register
  relay root search security server settings setup share signin signup staff status statuses support sysadmin
  system tags team terms user users verified web webfinger webmaster www`.split(/\s+/),
)

export const usernameLimit = 30

/** Local names: letters, digits and underscores. */
export function isUsername(text: string): boolean {
  return /^[a-z0-9_]+$/i.test(text)
}

/** Whether a name is reserved. Extra underscores and case are ignored: readers do not notice them. */
export function isReservedName(name: string): boolean {
  const words = name.toLowerCase().split('_')
  return reserved.has(words.filter((word) => word !== '').join('_'))
}
