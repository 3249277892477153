import type { Site } from '../site'

interface App {
  readonly name: string
  readonly url: string
  readonly runsOn: string
}

const apps: readonly App[] = [
  { name: 'Mastodon', url: 'https://joinmastodon.org/apps', runsOn: 'iPhone, iPad, Android' },
  { name: 'Ivory', url: 'https://tapbots.com/ivory/', runsOn: 'iPhone, iPad, Mac' },
  { name: 'Tusky', url: 'https://tusky.app/', runsOn: 'Android' },
  { name: 'Tuba', url: 'https://tuba.geopjr.dev/', runsOn: 'Linux' },
  { name: 'Elk', url: 'https://elk.zone/', runsOn: 'any browser' },
]

/** The address that apps ask for, and apps to give it to. */
export function AppList({ site }: { readonly site: Site }) {
  // Filled in there, so that nothing is left to type.
  const phanpy = `https://phanpy.social/#/login?instance=${encodeURIComponent(site.host)}`
  const all = [...apps, { name: 'Phanpy', url: phanpy, runsOn: 'any browser' }]
  return (
    <section class="card" aria-labelledby="apps">
      <h2 id="apps">Use it from your app</h2>
      <p>Any app made for Mastodon works here. Choose one you like and give it this server’s address:</p>
      <p>
        <code class="code-to-copy">{site.host}</code>
      </p>
      <ul class="apps">
        {all.map(({ name, url, runsOn }) => (
          <li>
            <a href={url} rel="noopener">
              {name}
            </a>{' '}
            <span class="muted">{runsOn}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
