import { useTranslation } from '../i18n/context'

/** Link to the next page of a list; null at its end. */
export function MoreLink({ href }: { readonly href: string | null }) {
  const t = useTranslation()
  if (href === null) return null
  return (
    <p>
      <a href={href} rel="next">
        {t('common.olderOnes')}
      </a>
    </p>
  )
}
