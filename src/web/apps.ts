import type { Site } from './site'

/** Devices that apps run on, in the order of the page of apps. */
export const platformNames = ['ios', 'android', 'mac', 'windows', 'linux', 'browser'] as const
export type Platform = (typeof platformNames)[number]

/** Names of the devices, in English. */
export const platforms = {
  ios: 'apps.iPhoneIPad',
  android: 'apps.android',
  mac: 'apps.mac',
  windows: 'apps.windows',
  linux: 'apps.linux',
  browser: 'apps.anyBrowser',
} as const satisfies Record<Platform, string>

export interface App {
  readonly name: string
  readonly url: string
  readonly platforms: readonly Platform[]
  /** Among the few that other pages name. */
  readonly isNamedFirst?: true
}

const apps: readonly App[] = [
  {
    name: 'Mastodon',
    url: 'https://joinmastodon.org/apps',
    platforms: ['ios', 'android'],
    isNamedFirst: true,
  },
  { name: 'Ice Cubes', url: 'https://github.com/Dimillian/IceCubesApp', platforms: ['ios', 'mac'] },
  { name: 'Ivory', url: 'https://tapbots.com/ivory/', platforms: ['ios', 'mac'], isNamedFirst: true },
  { name: 'Fedilab', url: 'https://fedilab.app/', platforms: ['android'] },
  { name: 'Megalodon', url: 'https://sk22.github.io/megalodon/', platforms: ['android'] },
  { name: 'Pachli', url: 'https://pachli.app/', platforms: ['android'] },
  { name: 'Tusky', url: 'https://tusky.app/', platforms: ['android'], isNamedFirst: true },
  { name: 'Tokodon', url: 'https://apps.kde.org/tokodon/', platforms: ['windows', 'linux'] },
  { name: 'Tuba', url: 'https://tuba.geopjr.dev/', platforms: ['linux'], isNamedFirst: true },
  { name: 'Whalebird', url: 'https://whalebird.social/', platforms: ['mac', 'windows', 'linux'] },
  { name: 'Elk', url: 'https://elk.zone/', platforms: ['browser'], isNamedFirst: true },
]

/** Apps to use a server with. `host` is filled in where that works, so that nothing is left to type. */
export function appsFor({ host, client }: Pick<Site, 'host' | 'client'>): readonly App[] {
  const phanpy = `https://phanpy.social/#/login?instance=${encodeURIComponent(host)}`
  const own: App[] = client === null ? [] : [{ ...client, platforms: ['browser'], isNamedFirst: true }]
  const others = [
    ...apps,
    { name: 'Phanpy', url: phanpy, platforms: ['browser'], isNamedFirst: true } as const,
  ]
  return [...own, ...others.filter(({ name }) => name !== client?.name)]
}
