export {
  answerLocalSubjectAccessReview,
  answerSelfSubjectAccessReview,
  answerSubjectAccessReview,
} from './access-reviews.ts';
export { answerSelfSubjectReview, answerTokenReview } from './identity-reviews.ts';
export { answerSelfSubjectRulesReview } from './rules-review.ts';
