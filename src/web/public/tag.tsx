import { type FeedAddresses, FeedLinks } from '../components/feed-links'
import { Layout } from '../components/layout'
import { PageLinks, type PageLinksProps } from '../components/page-links'
import { StatusCard } from '../components/status-card'
import type { PageProps } from '../site'
import type { StatusView } from '../status-view-model'

export interface TagPageProps extends PageProps, PageLinksProps {
  /** As whoever asks writes it. */
  readonly name: string
  readonly url: string
  readonly statuses: readonly StatusView[]
  readonly feeds: FeedAddresses | null
  readonly imageUrl: string
}

/** What was posted for everybody with a hashtag. Kept out of search engines, as not every author wants to be there. */
export function TagPage(props: TagPageProps) {
  const { site, viewer, name, url, statuses, feeds, newestUrl, olderUrl } = props
  const title = `#${name}`
  const preview = { url, imageUrl: props.imageUrl, description: `Posts with ${title} on ${site.title}` }
  return (
    <Layout {...{ site, viewer, title, preview, feeds }} canonicalUrl={url} width="text" isPrivate>
      <section class="status-list" aria-labelledby="tag">
        <h1 id="tag">
          <bdi>{title}</bdi>
        </h1>
        <p class="lead">
          {newestUrl === null ? 'Public posts' : 'Older public posts'} with this hashtag. Follow it in your
          app to have them at home.
        </p>
        {statuses.length === 0 && <p class="muted">Nothing here yet.</p>}
        {statuses.map((status) => (
          <StatusCard status={status} />
        ))}
      </section>
      <PageLinks newestUrl={newestUrl} olderUrl={olderUrl} />
      {feeds !== null && <FeedLinks feeds={feeds} />}
    </Layout>
  )
}
