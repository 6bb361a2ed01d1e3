"""Calls the three APIs with what openapi-python-client makes. A client has one address, so there is one for each API."""

import os

from marquee.api.nft import create_contract, get_contract, list_tokens, mint_token
from marquee.api.user_data import get_application_user_sub, put_user_data, read_user_data
from marquee.client import AuthenticatedClient
from marquee.models import (
    ApplicationUserSub,
    ContractRequest,
    NftMetadataRequest,
    NftRequest,
    PutUserDataIfNoneMatch,
    UserDataChange,
    UserDataChangeUserData,
    UserNotFound,
)


def with_key(address: str, key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=address, token=key, prefix="", auth_header_name="x-api-key")


base = with_key(os.environ["BASE"], os.environ["KEY"])
b2b = with_key(os.environ["B2B"], os.environ["KEY"])
profile = AuthenticatedClient(base_url=os.environ["PROFILE"], token=os.environ["TOKEN"])

contract = create_contract.sync(client=base, body=ContractRequest(name="Python", symbol="PY", chain="MATIC"))
request = NftRequest(destination=os.environ["RECEIVER"], metadata=NftMetadataRequest(name="Seat 1"))
token = mint_token.sync(contract.address, client=base, body=request)
assert [listed.id for listed in list_tokens.sync(contract.address, client=base, limit=3)] == [token.id]

data = UserDataChangeUserData.from_dict({"email": "openapi-python-client@example.com"})
put = put_user_data.sync_detailed(
    client=profile, body=UserDataChange(user_data=data), if_none_match=PutUserDataIfNoneMatch.VALUE_0
)
assert put.status_code == 200, put
mine = get_application_user_sub.sync(client=profile)

assert read_user_data.sync(client=b2b, body=mine).user_data["email"] == "openapi-python-client@example.com"
unknown = read_user_data.sync(client=b2b, body=ApplicationUserSub(application_user_sub="nobody"))
assert isinstance(unknown, UserNotFound) and unknown.error_fields == "USER_NOT_FOUND"

refused = get_contract.sync_detailed(contract.address, client=with_key(os.environ["BASE"], "wrong"))
assert refused.status_code == 403
