import { message } from '../../lib/translate'

/** Groups of the menu of settings with their headings, in their order. */
export const settingsGroups = {
  profile: message('You'),
  preferences: message('Preferences'),
  people: message('What you see'),
  posts: message('Your posts and data'),
  security: message('Signing in'),
  account: message('Account'),
} as const

export type SettingsGroup = keyof typeof settingsGroups
