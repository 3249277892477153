import type { OptionalService } from '../../../config'
import type { TextKey } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'

const texts: Readonly<Record<OptionalService, { readonly name: TextKey; readonly effect: TextKey }>> = {
  images: {
    name: 'admin.missingServices.images',
    effect: 'admin.missingServices.picturesKeptUploadedWithout',
  },
  email: {
    name: 'admin.missingServices.mail',
    effect: 'admin.missingServices.noMailSentAddresses',
  },
  queues: {
    name: 'admin.missingServices.queues',
    effect: 'admin.missingServices.jobsKindRunOne',
  },
}

const document = 'docs/operate/deploy.md'

export interface MissingServicesProps {
  readonly services: readonly OptionalService[]
  readonly sourceUrl: string
}

/** Services of the platform that this server goes without, and the effect of each; nothing where it has all. */
export function MissingServices({ services, sourceUrl }: MissingServicesProps) {
  const t = useTranslation()
  if (services.length === 0) return null
  return (
    <section class="block" aria-labelledby="missing-services">
      <h2 id="missing-services">{t('admin.missingServices.whatServerGoesWithout')}</h2>
      <ul>
        {services.map((service) => (
          <li>
            <strong>{t(texts[service].name)}</strong>: {t(texts[service].effect)}
          </li>
        ))}
      </ul>
      <p class="quiet small">
        {t.rich('admin.missingServices.howAddStandsSource', {
          file: () => <code>{document}</code>,
          link: (words) => (
            <a href={sourceUrl} rel="noopener">
              {words}
            </a>
          ),
        })}
      </p>
    </section>
  )
}
