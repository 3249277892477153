import { adminPages } from '../../../src/web/pages/admin'

/** Pages and forms of administration, as `METHOD /path/:id`; downloads and other addresses of a page are left out. */
export const adminRoutes: readonly string[] = [
  ...new Set(
    adminPages.flatMap(({ path, routes }) =>
      routes
        .filter((route) => route.method === 'POST' || (route.method === 'GET' && route.path === path))
        .map((route) => `${route.method} ${route.path}`),
    ),
  ),
].toSorted()

const patterns = adminRoutes.map((route) => {
  const [method = '', path = ''] = route.split(' ')
  const parameters = path.match(/:\w+/g)?.length ?? 0
  return { route, method, parameters, shape: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) }
})

/** Route of a request, the one with the fewest parameters where several match. */
export function routeOf(method: string, address: string): string | undefined {
  const { pathname } = new URL(address)
  const matching = patterns.filter((one) => one.method === method && one.shape.test(pathname))
  return matching.toSorted((a, b) => a.parameters - b.parameters)[0]?.route
}

/** Tests `administration-NAME.test.ts` of the browser, by the paths whose pages and forms each clicks through. */
export const flows = {
  people: /^\/admin\/(accounts|reports|disputes|action_logs|dashboard|invites|archive_imports)/,
  servers: /^\/admin\/(instances|domain_blocks|blocklists|severances|relays)/,
  branding: /^\/admin\/branding/,
  server: /^\/admin\/(settings|terms|custom_emojis|webhooks|trends|operation|plan|backups)/,
  words:
    /^\/admin\/(rules|announcements|warning_presets|(ip|email_domain|canonical_email|username)_blocks|domain_allows|blocklist_exceptions|roles)/,
} as const

const pathOf = (route: string) => route.replace(/^\w+ /, '')

/** Pages and forms that a test has to click through. */
export function routesOf(flow: keyof typeof flows): readonly string[] {
  return adminRoutes.filter((route) => flows[flow].test(pathOf(route)))
}

/** Pages and forms that no test clicks through. */
export function routesWithoutFlow(): readonly string[] {
  const all = Object.values(flows)
  return adminRoutes.filter((route) => !all.some((paths) => paths.test(pathOf(route))))
}

/** Forms that show what another one would do, or how things stand, and change nothing. */
const previews = [
  'POST /admin/blocklists/:id/review',
  'POST /admin/branding/colour/preview',
  'POST /admin/branding/front-page/preview',
  'POST /admin/branding/style-sheet/preview',
  'POST /admin/domain_blocks/open',
  'POST /admin/domain_blocks/preview',
  'POST /admin/instances/:domain/check',
  'POST /admin/terms/preview',
]

export function isPreview(route: string): boolean {
  return previews.includes(route)
}
