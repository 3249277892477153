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

const guide = '/docs/operate/deploy/#without-images-mail-or-queues'

export interface MissingServicesProps {
  readonly services: readonly OptionalService[]
}

/** Services of the platform that this server goes without, and the effect of each; nothing where it has all. */
export function MissingServices({ services }: MissingServicesProps) {
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
        <a href={guide}>{t('admin.missingServices.howToAdd')}</a>
      </p>
    </section>
  )
}
