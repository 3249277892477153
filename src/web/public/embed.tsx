import { assetPath } from '../../lib/assets'
import { WholePage } from '../components/layout'
import { StatusCard } from '../components/status-card'
import type { Site } from '../site'
import type { StatusView } from '../status-view-model'

export interface EmbedPageProps {
  readonly site: Site
  readonly status: StatusView
}

/** One status for the frames of other pages: what is clicked opens outside of them. */
export function EmbedPage({ site, status }: EmbedPageProps) {
  const { name, handle } = status.author
  return (
    <WholePage>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="same-origin" />
        <meta name="robots" content="noindex" />
        <base target="_blank" />
        <title>{`${name} (${handle}) · ${site.title}`}</title>
        <link rel="canonical" href={status.url} />
        <link rel="stylesheet" href={assetPath('style.css')} />
      </head>
      <body class="page-embed">
        <main>
          <h1 class="visually-hidden">A post by {name}</h1>
          <StatusCard status={status} isMain />
          <p class="muted">
            <a href={status.url}>On {site.domain}</a> · {/* The licence owes it to whoever sees this. */}
            <a href={site.sourceUrl}>Source code</a>
          </p>
        </main>
      </body>
    </WholePage>
  )
}
