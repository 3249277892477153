import { useTranslation } from '../../i18n/context'

/** The most characters of a post; scripts say how many are left instead, and fill the ring. */
export function Remaining({ most, id }: { readonly most: number; readonly id: string }) {
  const t = useTranslation()
  return (
    <>
      <span class="remaining" id={id} data-limit={most}>
        <span class="hidden words">{t('client.atMostCharacterOtherAtMost', { count: most })}</span>
        <span class="figure" aria-hidden="true">
          {most}
        </span>
      </span>
      <svg class="ring" viewBox="0 0 28 28" aria-hidden="true">
        <circle class="base" cx="14" cy="14" r="11" />
        <circle class="part" cx="14" cy="14" r="11" pathLength="100" stroke-dasharray="0 100" />
      </svg>
    </>
  )
}
