import { useTranslation } from '../i18n/context'
export interface PageLinksProps {
  /** The first page; null on the first page itself. */
  readonly newestUrl: string | null
  /** Null at the end. */
  readonly olderUrl: string | null
}

/** Leads through the pages of a list of posts. */
export function PageLinks({ newestUrl, olderUrl }: PageLinksProps) {
  const t = useTranslation()
  if (newestUrl === null && olderUrl === null) return null
  return (
    <nav class="actions" aria-label={t('common.pages')}>
      {newestUrl !== null && (
        <a class="button button-secondary" href={newestUrl}>
          {t('common.newestPosts')}
        </a>
      )}
      {olderUrl !== null && (
        <a class="button button-secondary" href={olderUrl} rel="next">
          {t('common.olderPosts')}
        </a>
      )}
    </nav>
  )
}
