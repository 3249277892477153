import type { Moderator } from '../domain/core/viewer'
import type { AppEnv } from '../ports/app-env'

/** Environment of the routes below `/setup`: with the one who acts, the operator or an owner. */
export interface OperatorEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { readonly moderator: Moderator }
}
