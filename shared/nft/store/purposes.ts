import * as z from 'zod';
import { type Purpose, purposeSchema } from '../transactions/purpose.ts';

/** A purpose as it is stored in its log entry. The id of its application has the name `application` there. */
export const purposeItem = (purpose: Purpose) => {
  if (!('applicationId' in purpose)) return purpose;
  const { applicationId, ...rest } = purpose;
  return { ...rest, application: applicationId };
};

/** Reads what `purposeItem` writes. */
export const storedPurposeSchema = z.preprocess((item) => {
  if (typeof item !== 'object' || item === null || !('application' in item)) return item;
  const { application, ...rest } = item;
  return { ...rest, applicationId: application };
}, purposeSchema);
