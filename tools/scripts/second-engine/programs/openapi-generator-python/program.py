"""Calls the three APIs with a client of openapi-generator. The client takes each API's address from the document."""

import os

from marquee import (
    ApiClient,
    ApplicationUserSub,
    Configuration,
    ContractRequest,
    NFTApi,
    NftMetadataRequest,
    NftRequest,
    UserDataApi,
    UserDataChange,
)
from marquee.exceptions import ApiException


def status_of(call) -> int:
    try:
        call()
        return 200
    except ApiException as refused:
        return refused.status


def with_key(key: str) -> ApiClient:
    return ApiClient(Configuration(api_key={"apiKey": key}))


server = with_key(os.environ["KEY"])
user = ApiClient(Configuration(access_token=os.environ["TOKEN"]))

nft = NFTApi(server)
contract = nft.create_contract(ContractRequest(name="Python", symbol="PY", chain="MATIC"))
request = NftRequest(destination=os.environ["RECEIVER"], metadata=NftMetadataRequest(name="Seat 1"))
token = nft.mint_token(contract.address, request)
assert [listed.id for listed in nft.list_tokens(contract.address, limit=3)] == [token.id]

profile = UserDataApi(user)
profile.put_user_data(UserDataChange(user_data={"email": "python@example.com"}), if_none_match="*")
mine = profile.get_application_user_sub()

b2b = UserDataApi(server)
assert b2b.read_user_data(mine).user_data["email"] == "python@example.com"
assert status_of(lambda: b2b.read_user_data(ApplicationUserSub(application_user_sub="nobody"))) == 404

assert status_of(lambda: NFTApi(with_key("wrong")).get_contract(contract.address)) == 403
