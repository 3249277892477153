import type { Imported } from '../../../domain/statuses/archived/find-imports'
import type { TranslateText } from '../../../lib/translate'
import type { AboutLinks } from '../../components/head'
import { ImportedPost } from '../../components/import-note'
import { Layout } from '../../components/layout'
import { StatusCard } from '../../components/status-card'
import { useTranslation } from '../../i18n/context'
import type { StatusView } from '../../status-view-model'

export interface StatusPageProps {
  readonly about: AboutLinks
  readonly status: StatusView
  /** Null for a post that was written here. */
  readonly imported: Imported | null
  readonly ancestors: readonly StatusView[]
  readonly descendants: readonly StatusView[]
  /** For link previews. */
  readonly text: string
  /** The first picture of the status where it may be shown, otherwise the author. */
  readonly imageUrl: string
  readonly isIndexable: boolean
  /** Beginning of its text; null if it has none. */
  readonly headline: string | null
  /** Visible to accounts other than its author. */
  readonly isForAll: boolean
}

/** A status in its thread, as far as it is public. */
export function StatusPage(props: StatusPageProps) {
  const { about, status, imported, ancestors, descendants, isIndexable, isForAll } = props
  const t = useTranslation()
  const { name, handle } = status.author
  const preview = {
    kind: 'article' as const,
    url: about.url,
    imageUrl: props.imageUrl,
    title: `${name} (${handle})`,
    description: props.text === '' ? t('status.postByName', { name: handle }) : props.text,
  }
  const layout = { about, title: titleFor(t, props), ...(isForAll ? { preview } : {}) }
  return (
    <Layout {...layout} heading={t('status.postByName', { name })} isPrivate={!isIndexable}>
      {ancestors.length > 0 && (
        <section class="status-list" aria-label={t('status.whatItAnswers')}>
          {ancestors.map((one) => (
            <StatusCard status={one} />
          ))}
        </section>
      )}
      <StatusCard status={status} isMain />
      {imported !== null && <ImportedPost source={imported.source} />}
      {descendants.length > 0 && (
        <section class="status-list" aria-labelledby="answers">
          <h2 id="answers">{t('status.replies')}</h2>
          {descendants.map((one) => (
            <StatusCard status={one} />
          ))}
        </section>
      )}
    </Layout>
  )
}

/** Titles stay in histories and on shared screens, so they show nothing that is not public. */
function titleFor(t: TranslateText, { status: { author }, headline, isForAll }: StatusPageProps): string {
  const { name } = author
  if (!isForAll || headline === null) return t('status.postByName', { name })
  return t('status.nameHeadline', { name, headline })
}
