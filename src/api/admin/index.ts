import type { Endpoint } from '../endpoint'
import { adminAccounts } from './accounts'
import { adminAuditLog } from './audit-log'

/** Every endpoint of administration: the documented ones, and those of `/api/fieldfare/v1/admin`. */
export const adminEndpoints: readonly Endpoint[] = [adminAccounts, adminAuditLog].flat()
