import * as account from '../../shared/account/http/operations.ts';
import * as nft from '../../shared/nft/http/operations.ts';
import * as nftReads from '../../shared/nft/http/read-operations.ts';
import * as userTokens from '../../shared/nft/http/user-operations.ts';
import * as notifications from '../../shared/notifications/http/operations.ts';
import * as catalogue from '../../shared/ott/http/catalogue-operations.ts';
import * as ott from '../../shared/ott/http/operations.ts';
import * as voids from '../../shared/ott/http/void-operations.ts';
import * as documentation from '../../shared/platform/documentation/http/operations.ts';
import type { Operation } from '../../shared/platform/http/operation.ts';
import * as users from '../../shared/users/http/operations.ts';
import * as wallets from '../../shared/wallets/http/operations.ts';

/** The operations, in the order in which the document lists them. */
export const operations = [
  nft.createContractOperation,
  nftReads.listContractsOperation,
  nftReads.getContractOperation,
  nft.mintTokenOperation,
  nft.mintBatchOperation,
  nftReads.listTokensOperation,
  nft.updateTokenMetadataOperation,
  nft.updateMetadataBatchOperation,
  nft.updateContractMetadataOperation,
  nft.setRoyaltyOperation,
  nft.revokeTokenOperation,
  nft.setDestinationOperation,
  nftReads.getTokenOperation,
  nftReads.getTokenOwnerOperation,
  nftReads.getTokenHistoryOperation,
  voids.voidTokenOperation,
  voids.unvoidTokenOperation,
  nftReads.getContractMetadataOperation,
  nftReads.getTokenMetadataOperation,
  users.putUserDataOperation,
  users.getUserDataOperation,
  users.getApplicationUserSubOperation,
  users.postApplicationUserSubOperation,
  account.exportUserOperation,
  account.previewErasureOperation,
  account.eraseUserOperation,
  wallets.createChallengeOperation,
  wallets.linkWalletOperation,
  wallets.listWalletsOperation,
  wallets.unlinkWalletOperation,
  userTokens.listUserTokensOperation,
  userTokens.getOwnTokenHistoryOperation,
  userTokens.claimTokenOperation,
  users.exchangeUserSubsOperation,
  users.readUserDataOperation,
  users.readUserDataBatchOperation,
  notifications.listNotificationsOperation,
  notifications.listEndpointsOperation,
  notifications.sendTestOperation,
  notifications.startReplayOperation,
  notifications.getReplayOperation,
  ott.listEventsOperation,
  ott.getEventOperation,
  ott.getStreamOperation,
  ott.endStreamOperation,
  catalogue.listCatalogueOperation,
  catalogue.getCatalogueEventOperation,
  catalogue.putCatalogueEventOperation,
  catalogue.deleteCatalogueEventOperation,
  catalogue.setCatalogueStatusOperation,
  documentation.getDocumentOperation,
] as readonly Operation[];
