import { type AboutLinks, Layout } from '../components/layout'
import { StatusCard } from '../components/status-card'
import type { ShownStatus } from '../shown-status'
import type { PageProps } from '../site'

export interface StatusPageProps extends PageProps {
  readonly about: AboutLinks
  readonly status: ShownStatus
  readonly ancestors: readonly ShownStatus[]
  readonly descendants: readonly ShownStatus[]
  /** For link previews. */
  readonly text: string
  /** The first picture of the status where it may be shown, otherwise the author. */
  readonly imageUrl: string
  readonly isIndexable: boolean
}

/** One status in its thread, as far as everybody may see it. */
export function StatusPage(props: StatusPageProps) {
  const { site, viewer, about, status, ancestors, descendants, isIndexable } = props
  const { name, handle } = status.author
  const preview = {
    ...{ kind: 'article' as const, url: about.url, imageUrl: props.imageUrl },
    description: props.text === '' ? `A post by ${handle}` : props.text,
  }
  const title = `${name} (${handle})`
  return (
    <Layout {...{ site, viewer, title, about, preview }} width="text" isPrivate={!isIndexable}>
      <h1 class="visually-hidden">A post by {name}</h1>
      {ancestors.length > 0 && (
        <section class="status-list" aria-label="What it answers">
          {ancestors.map((one) => (
            <StatusCard status={one} />
          ))}
        </section>
      )}
      <StatusCard status={status} isMain />
      {descendants.length > 0 && (
        <section class="status-list" aria-labelledby="answers">
          <h2 id="answers">Replies</h2>
          {descendants.map((one) => (
            <StatusCard status={one} />
          ))}
        </section>
      )}
    </Layout>
  )
}
