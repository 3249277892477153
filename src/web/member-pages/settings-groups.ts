/** Groups of the menu of settings with their headings, in their order. */
export const settingsGroups = {
  profile: 'settings.menu.you',
  preferences: 'settings.preferences',
  people: 'settings.menu.whatYouSee',
  posts: 'settings.menu.postsData',
  security: 'settings.menu.signingIn',
  account: 'field.account',
} as const

export type SettingsGroup = keyof typeof settingsGroups
